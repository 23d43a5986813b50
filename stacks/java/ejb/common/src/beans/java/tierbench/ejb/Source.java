package tierbench.ejb;

import jakarta.ejb.EJBException;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;
import tierbench.common.Environment;
import tierbench.common.data.Database;

/** The database of the beans. */
public final class Source {
  private Source() {}

  /** The one that the bean's descriptor calls so. The name is ours, and so is the container. */
  @SuppressWarnings("BanJNDI")
  public static Database named(String name) {
    try {
      Object source = new InitialContext().lookup("java:comp/env/jdbc/" + name);
      return Database.behind((DataSource) source, Environment.ofProcess());
    } catch (NamingException e) {
      throw new EJBException("the database can't be found", e);
    }
  }
}
