package tierbench.common.data;

import java.util.Map;
import java.util.stream.Stream;
import tierbench.common.Environment;

/** Which database it is, and how its driver is told what to do. */
enum Product {
  MARIADB("mariadb", "START TRANSACTION", "NOW()"),
  /**
   * Its {@code NOW()} is when the transaction began, which may have waited for others since. It has
   * fractions of a second, which columns would round, half of the time to the next second.
   */
  POSTGRESQL("postgresql", "BEGIN", "DATE_TRUNC('second', STATEMENT_TIMESTAMP())");

  private final String scheme;
  private final String begin;
  private final String now;

  Product(String scheme, String begin, String now) {
    this.scheme = scheme;
    this.begin = begin;
    this.now = now;
  }

  static Product of(Environment environment) {
    String service = environment.get("TIERBENCH_DB_SERVICE");
    return Stream.of(values())
        .filter(product -> product.scheme.equals(service))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("there is no driver for %s".formatted(service)));
  }

  /** As addresses name it. */
  String scheme() {
    return scheme;
  }

  /** How its clients usually begin a transaction. */
  String begin() {
    return begin;
  }

  /** What stands in a statement for the second in which it began. */
  String now() {
    return now;
  }

  /**
   * How its driver sends statements: prepared by the server when they are first sent, and kept; or
   * with the values in their text.
   */
  Map<String, String> options(boolean isPrepared) {
    String prepared = Boolean.toString(isPrepared);
    return switch (this) {
      case MARIADB -> Map.of("useServerPrepStmts", prepared, "cachePrepStmts", prepared);
      case POSTGRESQL ->
          Map.of(
              "preferQueryMode", isPrepared ? "extended" : "simple",
              "prepareThreshold", "1",
              // Names of generated columns are sent as all other names are.
              "quoteReturningIdentifiers", "false");
    };
  }
}
