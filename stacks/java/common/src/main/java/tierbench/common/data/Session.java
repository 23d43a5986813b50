package tierbench.common.data;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;
import tierbench.common.Money;

/**
 * What one request does with the database, over one connection, which it takes at its first
 * statement. Values are bound, never written into a statement.
 */
public final class Session implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(Session.class.getName());

  private static final String ID = "id";

  /** How the SQLSTATEs begin that say that a row breaks a constraint. */
  private static final String CONSTRAINT = "23";

  /** MariaDB's ER_LOCK_DEADLOCK. */
  private static final int DEADLOCK = 1213;

  /** How often tables are asked for, in half a minute, before the server's answer is believed. */
  private static final int ASKED = 30;

  /** The longest pause before they are asked for the second time. It doubles each time ... */
  private static final long FIRST_PAUSE_NANOS = 10_000_000;

  /** ... so often. */
  private static final int DOUBLED = 8;

  private final Database database;
  private Connection connection;

  Session(Database database) {
    this.database = database;
  }

  /** The only row that a query finds, if there is one. */
  public <T> Optional<T> row(String query, Mapper<T> mapper, Object... values) throws SQLException {
    return rows(query, mapper, values).stream().findFirst();
  }

  public <T> List<T> rows(String query, Mapper<T> mapper, Object... values) throws SQLException {
    try (PreparedStatement statement = connection().prepareStatement(query)) {
      bind(statement, values);
      try (ResultSet result = statement.executeQuery()) {
        List<T> rows = new ArrayList<>();
        while (result.next()) {
          rows.add(mapper.map(result));
        }
        return rows;
      }
    }
  }

  /** Inserts a row into a table that has a column {@code id}, and returns what that was given. */
  public int insert(String insertion, Object... values) throws SQLException {
    return insertKeyed(ID, insertion, values);
  }

  /** The same, into a table whose ids are in another column. */
  public int insertKeyed(String key, String insertion, Object... values) throws SQLException {
    try (PreparedStatement statement =
        connection().prepareStatement(insertion, new String[] {key})) {
      bind(statement, values);
      statement.executeUpdate();
      try (ResultSet keys = statement.getGeneratedKeys()) {
        if (!keys.next()) {
          throw new SQLException("a row was inserted without an id");
        }
        return keys.getInt(1);
      }
    }
  }

  public void update(String update, Object... values) throws SQLException {
    try (PreparedStatement statement = connection().prepareStatement(update)) {
      bind(statement, values);
      statement.executeUpdate();
    }
  }

  /** Whether a row was refused because another one has the same unique key. */
  public static boolean isDuplicate(SQLException refusal) {
    String state = refusal.getSQLState();
    return state != null && state.startsWith(CONSTRAINT);
  }

  /**
   * Does some work entirely or, if it throws, not at all, and lets nobody else who works on the
   * same entities come between. On MyISAM, which takes nothing back, that holds for work that makes
   * all its checks before its first change.
   *
   * <p>No two pieces of our work can wait for each other, so none is ever tried again: whoever
   * holds a row that others may want waits only for rows that come later in an order that all keep.
   * In the auction that is an item and then a user, in the bookstore a cart and then items by their
   * ids. On MyISAM, all locks are taken at once (see {@link #begin}).
   *
   * @param entities what the work reads before it changes it, or changes last, in that order
   * @param tables all that the work touches
   */
  public <T> T atomically(List<Entity> entities, List<String> tables, Work<T> work)
      throws SQLException {
    List<EntityLocks> locks = database.locks().stream().toList();
    locks.forEach(all -> entities.forEach(all::lock));
    try {
      return transaction(tables, work);
    } finally {
      locks.forEach(all -> entities.forEach(all::unlock));
    }
  }

  /** The same with a single entity. */
  public <T> T atomically(Entity entity, List<String> tables, Work<T> work) throws SQLException {
    return atomically(List.of(entity), tables, work);
  }

  /**
   * What is put behind a query of a row that nobody else may change until the work that it belongs
   * to ends.
   */
  public String lock() {
    return database.isolation().lock();
  }

  /**
   * What stands in a statement for the second in which it began. Nearly the same is {@code NOW()}
   * where nothing is stored.
   */
  public String now() {
    return database.isolation().now();
  }

  private <T> T transaction(List<String> tables, Work<T> work) throws SQLException {
    Isolation isolation = database.isolation();
    boolean isDone = false;
    try {
      begin(isolation.begin(tables));
      T outcome = work.run();
      execute(isolation.commit());
      isDone = true;
      return outcome;
    } finally {
      if (!isDone) {
        rollBack(isolation);
      }
    }
  }

  /**
   * Where dozens wait for tables, MariaDB gives up its search for a circle of them and says that it
   * found one. There is none: it takes all locks of a statement in one order, whoever asks. Nothing
   * is locked or changed by then, so we ask again, as fewer may wait by then. Its search is long,
   * so whoever asks again and again keeps it busy with that alone; hence the ever longer pauses.
   */
  private void begin(String statement) throws SQLException {
    for (int asked = 1; ; asked++) {
      try {
        execute(statement);
        return;
      } catch (SQLException refusal) {
        if (refusal.getErrorCode() != DEADLOCK || asked == ASKED) {
          throw refusal;
        }
        long longest = FIRST_PAUSE_NANOS << Math.min(asked - 1, DOUBLED);
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(longest));
      }
    }
  }

  /** A connection that can't be rolled back must not be used by others, as its locks would stay. */
  private void rollBack(Isolation isolation) {
    if (connection == null) {
      return;
    }
    boolean isClean = false;
    try {
      execute(isolation.rollBack());
      isClean = true;
    } catch (SQLException e) {
      LOG.log(Level.WARNING, "a connection is closed, because it can't be rolled back", e);
    } finally {
      if (!isClean) {
        database.connections().end(connection);
      }
    }
  }

  /**
   * Sends a statement of the transaction as it is. {@link Connection#setAutoCommit} and its like
   * would send two more: one to leave the mode in which each statement is a transaction, and one to
   * return to it.
   */
  private void execute(String text) throws SQLException {
    if (text.isEmpty()) {
      return;
    }
    try (Statement statement = connection().createStatement()) {
      statement.execute(text);
    }
  }

  private static void bind(PreparedStatement statement, Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      Object value = values[i];
      statement.setObject(i + 1, value instanceof Money money ? money.toDecimal() : value);
    }
  }

  private Connection connection() throws SQLException {
    if (connection == null) {
      connection = database.connections().take();
    }
    return connection;
  }

  /**
   * Gives the connection back, for as long as the request waits for something else; the next
   * statement takes one again.
   */
  public void pause() throws SQLException {
    if (connection != null) {
      Connection used = connection;
      connection = null;
      database.connections().giveBack(used);
    }
  }

  @Override
  public void close() throws SQLException {
    pause();
  }
}
