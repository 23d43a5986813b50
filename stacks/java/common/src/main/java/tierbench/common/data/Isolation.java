package tierbench.common.data;

import java.util.List;
import tierbench.common.Environment;

/**
 * How some statements become one piece of work that nobody else comes between. It depends on what
 * stores the tables, and on who locks: the database or the servlet engine.
 */
enum Isolation {
  /** InnoDB and PostgreSQL lock rows. */
  ROW_LOCKS("START TRANSACTION", "COMMIT", "ROLLBACK", " FOR UPDATE"),
  /** MyISAM locks whole tables and takes nothing back. */
  TABLE_LOCKS(null, "UNLOCK TABLES", "UNLOCK TABLES", " FOR UPDATE"),
  /** InnoDB and PostgreSQL make work atomic, the servlet engine keeps others away. */
  TRANSACTION("START TRANSACTION", "COMMIT", "ROLLBACK", ""),
  /** MyISAM executes statements one by one, the servlet engine keeps others away. */
  NOTHING("", "", "", "");

  private final String begin;
  private final String commit;
  private final String rollBack;
  private final String lock;

  Isolation(String begin, String commit, String rollBack, String lock) {
    this.begin = begin;
    this.commit = commit;
    this.rollBack = rollBack;
    this.lock = lock;
  }

  static Isolation of(Environment environment, Lockers lockers) {
    boolean isDatabase = lockers == Lockers.DATABASE;
    boolean hasTransactions =
        switch (Product.of(environment)) {
          case MARIADB -> hasTransactions(environment.get("TIERBENCH_DB_ENGINE"));
          case POSTGRESQL -> true;
        };
    if (hasTransactions) {
      return isDatabase ? ROW_LOCKS : TRANSACTION;
    }
    return isDatabase ? TABLE_LOCKS : NOTHING;
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
    return begin == null ? "LOCK TABLES " + String.join(" WRITE, ", tables) + " WRITE" : begin;
  }

  String commit() {
    return commit;
  }

  String rollBack() {
    return rollBack;
  }

  /** What is put behind a query of a row that nobody else may change until the work ends. */
  String lock() {
    return lock;
  }
}
