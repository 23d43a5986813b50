package tierbench.common.data;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import tierbench.common.Environment;

/** Where the database is, and all that its driver needs to know. */
record Access(String url, Properties properties) {
  static Access of(Environment environment) {
    Product product = Product.of(environment);
    Properties properties = new Properties();
    properties.setProperty("user", environment.get("TIERBENCH_DB_USER"));
    properties.setProperty("password", environment.get("TIERBENCH_DB_PASSWORD"));
    boolean isPrepared = "prepared".equals(environment.get("TIERBENCH_FACTOR_PROTOCOL"));
    properties.putAll(product.options(isPrepared));
    String url =
        "jdbc:%s://%s:%s/%s"
            .formatted(
                product.scheme(),
                environment.get("TIERBENCH_DB_HOST"),
                environment.get("TIERBENCH_DB_PORT"),
                environment.get("TIERBENCH_DB_NAME"));
    return new Access(url, properties);
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(url, properties);
  }
}
