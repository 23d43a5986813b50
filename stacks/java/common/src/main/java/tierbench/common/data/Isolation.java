package tierbench.common.data;

import java.util.List;
import java.util.Optional;
import tierbench.common.Environment;

/**
 * How some statements become one piece of work that nobody else comes between. It depends on what
 * stores the tables, and on who locks: the database or the servlet engine.
 *
 * @param transaction the statement that begins a transaction, if work is one
 * @param lock what is put behind a query of a row that nobody else may change until the work ends
 * @param now what stands in a statement of the work for the second in which that statement began
 */
record Isolation(
    Optional<String> transaction, String commit, String rollBack, String lock, String now) {
  private static final String LOCK = " FOR UPDATE";

  /** MyISAM locks whole tables and takes nothing back. */
  private static final Isolation TABLE_LOCKS =
      new Isolation(
          Optional.empty(), "UNLOCK TABLES", "UNLOCK TABLES", LOCK, Product.MARIADB.now());

  /** MyISAM executes statements one by one, the servlet engine keeps others away. */
  private static final Isolation NOTHING =
      new Isolation(Optional.of(""), "", "", "", Product.MARIADB.now());

  static Isolation of(Environment environment, Lockers lockers) {
    boolean isDatabase = lockers == Lockers.DATABASE;
    Product product = Product.of(environment);
    if (product == Product.MARIADB && !hasTransactions(environment.get("TIERBENCH_DB_ENGINE"))) {
      return isDatabase ? TABLE_LOCKS : NOTHING;
    }
    // InnoDB and PostgreSQL make work atomic; they lock rows where the servlet engine doesn't.
    return new Isolation(
        Optional.of(product.begin()), "COMMIT", "ROLLBACK", isDatabase ? LOCK : "", product.now());
  }

  private static boolean hasTransactions(String engine) {
    return switch (engine) {
      case "InnoDB" -> true;
      case "MyISAM" -> false;
      default ->
          throw new IllegalArgumentException("the storage engine %s is unknown".formatted(engine));
    };
  }

  /** The statement that begins work on these tables; blank if there is none. */
  String begin(List<String> tables) {
    return transaction.orElseGet(() -> "LOCK TABLES " + String.join(" WRITE, ", tables) + " WRITE");
  }
}
