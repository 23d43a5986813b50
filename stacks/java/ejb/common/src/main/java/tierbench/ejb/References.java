package tierbench.ejb;

import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.rmi.PortableRemoteObject;

/** The homes that a bean's descriptor lets it refer to, by what their names begin with there. */
public record References(String prefix) implements Homes {
  /** Both names and container are trusted. */
  @Override
  @SuppressWarnings("BanJNDI")
  public <T> T home(String bean, Class<T> type) {
    try {
      Object home = new InitialContext().lookup("java:comp/env/" + prefix + bean);
      // IIOP needs a cast to know an object's type.
      return type.cast(type.isInstance(home) ? home : PortableRemoteObject.narrow(home, type));
    } catch (NamingException e) {
      throw new IllegalStateException("there is no bean " + bean, e);
    }
  }
}
