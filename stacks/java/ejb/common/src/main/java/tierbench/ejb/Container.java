package tierbench.ejb;

import java.util.Properties;
import java.util.stream.Stream;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.rmi.PortableRemoteObject;
import tierbench.common.Environment;

/** The container of the beans, as another process reaches it. */
public record Container(Product product, String host, String port) implements Homes {
  /** The container's product. */
  enum Product {
    GLASSFISH("glassfish") {
      @Override
      Properties properties(String host, String port) {
        Properties properties = new Properties();
        properties.setProperty(
            "java.naming.factory.initial", "com.sun.enterprise.naming.SerialInitContextFactory");
        properties.setProperty("org.omg.CORBA.ORBInitialHost", host);
        properties.setProperty("org.omg.CORBA.ORBInitialPort", port);
        return properties;
      }

      /** IIOP needs a cast to know an object's type. */
      @Override
      <T> T narrow(Object home, Class<T> type) {
        return type.cast(PortableRemoteObject.narrow(home, type));
      }
    },
    TOMEE("tomee") {
      @Override
      Properties properties(String host, String port) {
        Properties properties = new Properties();
        properties.setProperty(
            "java.naming.factory.initial", "org.apache.openejb.client.RemoteInitialContextFactory");
        properties.setProperty("java.naming.provider.url", "ejbd://" + host + ':' + port);
        // What comes from there is what our own run has put there.
        properties.setProperty("tomee.serialization.class.whitelist", "*");
        properties.setProperty("tomee.serialization.class.blacklist", "-");
        return properties;
      }

      @Override
      String name(String bean) {
        return bean + "RemoteHome";
      }
    };

    private final String service;

    Product(String service) {
      this.service = service;
    }

    /** Properties of the naming context. */
    abstract Properties properties(String host, String port);

    /** The name of a bean's home. */
    String name(String bean) {
      return bean;
    }

    /** Casts the object that a name refers to. */
    <T> T narrow(Object home, Class<T> type) {
      return type.cast(home);
    }
  }

  /** The container that the environment names. */
  public static Container of(Environment environment) {
    String service = environment.get("TIERBENCH_EJB_SERVICE");
    Product product =
        Stream.of(Product.values())
            .filter(known -> known.service.equals(service))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("nobody calls beans in " + service));
    return new Container(
        product, environment.get("TIERBENCH_EJB_HOST"), environment.get("TIERBENCH_EJB_PORT"));
  }

  /** The home of a bean. Both names and container are trusted. */
  @Override
  @SuppressWarnings("BanJNDI")
  public <T> T home(String bean, Class<T> type) {
    Properties properties = product.properties(host, port);
    // Who speaks the container's protocol reads only the process's own properties.
    properties.forEach((key, value) -> System.setProperty((String) key, (String) value));
    try {
      return product.narrow(new InitialContext(properties).lookup(product.name(bean)), type);
    } catch (NamingException e) {
      throw new IllegalStateException("there is no bean " + bean, e);
    }
  }
}
