package tierbench.common;

import io.agroal.api.AgroalDataSource;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Sends statements over a connection of the pool: within a transaction, over its own. */
@ApplicationScoped
public class Jdbc {
  private final AgroalDataSource pool;

  Jdbc(AgroalDataSource pool) {
    this.pool = pool;
  }

  /** Makes what the application needs of a row. */
  @FunctionalInterface
  public interface Mapper<T> {
    T map(ResultSet row) throws SQLException;
  }

  /** A statement has failed. */
  public static class Failure extends RuntimeException {
    private static final long serialVersionUID = 1;

    Failure(SQLException cause) {
      super(cause);
    }

    /** Whether a row broke a rule of the schema, such as a unique key. */
    public boolean isIntegrityViolation() {
      return getCause() instanceof SQLException cause
          && cause.getSQLState() != null
          && cause.getSQLState().startsWith("23");
    }
  }

  public <T> List<T> rows(Mapper<T> mapper, String statement, Object... values) {
    try (Connection connection = pool.getConnection();
        PreparedStatement prepared = connection.prepareStatement(statement)) {
      set(prepared, values);
      try (ResultSet found = prepared.executeQuery()) {
        List<T> rows = new ArrayList<>();
        while (found.next()) {
          rows.add(mapper.map(found));
        }
        return rows;
      }
    } catch (SQLException e) {
      throw new Failure(e);
    }
  }

  public <T> Optional<T> row(Mapper<T> mapper, String statement, Object... values) {
    return rows(mapper, statement, values).stream().findFirst();
  }

  /** Inserts a row and returns its id. */
  public int insert(String statement, Object... values) {
    try (Connection connection = pool.getConnection();
        PreparedStatement prepared = connection.prepareStatement(statement, new String[] {"id"})) {
      set(prepared, values);
      prepared.executeUpdate();
      try (ResultSet keys = prepared.getGeneratedKeys()) {
        keys.next();
        return keys.getInt(1);
      }
    } catch (SQLException e) {
      throw new Failure(e);
    }
  }

  public void update(String statement, Object... values) {
    try (Connection connection = pool.getConnection();
        PreparedStatement prepared = connection.prepareStatement(statement)) {
      set(prepared, values);
      prepared.executeUpdate();
    } catch (SQLException e) {
      throw new Failure(e);
    }
  }

  private static void set(PreparedStatement prepared, Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      prepared.setObject(i + 1, values[i]);
    }
  }
}
