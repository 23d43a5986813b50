package tierbench.common.data;

import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * One connection for all requests, as servlets of the year 2002 opened it when they were loaded.
 * Each has it to itself from its first statement to its last, and all others wait. A connection
 * that is broken is replaced before anybody gets it.
 */
final class SharedConnection implements Connections, ConnectionsMXBean {
  private static final Logger LOG = Logger.getLogger(SharedConnection.class.getName());

  /** For so long nobody asks whether a connection that just worked still does, as in the pool. */
  private static final Duration TRUSTED = Duration.ofMillis(500);

  /** How long the database may take to say that a connection works. */
  private static final int PATIENCE_SECONDS = 5;

  private final Access access;
  private final ObjectName name;

  /** Who has it may use the connection, and what else is not final. */
  private final Semaphore turn = new Semaphore(1);

  private Connection connection;
  private long usedAt;

  SharedConnection(Access access) throws SQLException {
    this.access = access;
    connection = access.connect();
    usedAt = System.nanoTime();
    name = register(this);
  }

  @Override
  public Connection take() throws SQLException {
    turn.acquireUninterruptibly();
    boolean isTaken = false;
    try {
      if (!works()) {
        replace();
      }
      isTaken = true;
      return connection;
    } finally {
      if (!isTaken) {
        turn.release();
      }
    }
  }

  @Override
  public void giveBack(Connection used) {
    usedAt = System.nanoTime();
    turn.release();
  }

  @Override
  public void end(Connection used) {
    try {
      used.close();
    } catch (SQLException e) {
      LOG.log(Level.FINE, "a broken connection could not be closed", e);
    }
  }

  private boolean works() throws SQLException {
    if (connection.isClosed()) {
      return false;
    }
    boolean isTrusted = System.nanoTime() - usedAt < TRUSTED.toNanos();
    return isTrusted || connection.isValid(PATIENCE_SECONDS);
  }

  private void replace() throws SQLException {
    end(connection);
    connection = access.connect();
  }

  @Override
  public int getActive() {
    return getLimit() - turn.availablePermits();
  }

  @Override
  public int getLimit() {
    return 1;
  }

  @Override
  public int getWaiting() {
    return turn.getQueueLength();
  }

  @Override
  public void close() {
    turn.acquireUninterruptibly();
    end(connection);
    turn.release();
    try {
      ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
    } catch (JMException e) {
      throw new IllegalStateException("it was registered when it was opened", e);
    }
  }

  /** Whoever runs it sees who waits for the connection. */
  private static ObjectName register(SharedConnection shared) {
    try {
      ObjectName name = new ObjectName("tierbench:type=Connections");
      ManagementFactory.getPlatformMBeanServer().registerMBean(shared, name);
      return name;
    } catch (JMException e) {
      throw new IllegalStateException("a process has only one database", e);
    }
  }
}
