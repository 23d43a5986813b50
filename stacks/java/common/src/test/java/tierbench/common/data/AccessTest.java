package tierbench.common.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tierbench.common.Environment;

class AccessTest {
  private static final List<String> TABLES = List.of("items", "bids");

  private static final Map<String, String> VARIABLES =
      Map.of(
          "TIERBENCH_DB_HOST", "127.0.0.1",
          "TIERBENCH_DB_PORT", "4321",
          "TIERBENCH_DB_NAME", "comments",
          "TIERBENCH_DB_USER", "stack",
          "TIERBENCH_DB_PASSWORD", "a b&c");

  private static Environment environment(String service, String protocol) {
    Map<String, String> variables = new HashMap<>(VARIABLES);
    variables.put("TIERBENCH_DB_SERVICE", service);
    variables.put("TIERBENCH_FACTOR_PROTOCOL", protocol);
    return new Environment(variables);
  }

  @Test
  void eachDatabaseHasADriverThatKnowsItsAddressAndNoPasswordStandsInThat() throws SQLException {
    for (String service : new String[] {"mariadb", "postgresql"}) {
      Access access = Access.of(environment(service, "prepared"));
      assertEquals("jdbc:" + service + "://127.0.0.1:4321/comments", access.url());
      assertNotNull(DriverManager.getDriver(access.url()), service);
      assertEquals("a b&c", access.properties().getProperty("password"));
    }
  }

  @Test
  void statementsArePreparedIfTheyAreToBe() {
    Access prepared = Access.of(environment("mariadb", "prepared"));
    assertEquals("true", prepared.properties().getProperty("useServerPrepStmts"));
    Access text = Access.of(environment("mariadb", "text"));
    assertEquals("false", text.properties().getProperty("useServerPrepStmts"));
    Access simple = Access.of(environment("postgresql", "text"));
    assertEquals("simple", simple.properties().getProperty("preferQueryMode"));
    assertNull(simple.properties().getProperty("useServerPrepStmts"));
  }

  @Test
  void aDatabaseWithoutADriverIsRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> Access.of(environment("oracle", "prepared")));
  }

  @Test
  void workIsATransactionWhereverThereAreTransactions() {
    Environment postgresql = environment("postgresql", "prepared");
    Isolation rowLocks = Isolation.of(postgresql, Lockers.DATABASE);
    assertEquals("BEGIN", rowLocks.begin(TABLES));
    assertEquals(" FOR UPDATE", rowLocks.lock());
    Isolation transaction = Isolation.of(postgresql, Lockers.SERVLETS);
    assertEquals("BEGIN", transaction.begin(TABLES));
    assertEquals("", transaction.lock());
    Isolation innoDb = Isolation.of(mariaDb("InnoDB"), Lockers.DATABASE);
    assertEquals("START TRANSACTION", innoDb.begin(TABLES));
  }

  @Test
  void tablesAreLockedWhereThereAreNoneAndNothingIsIfServletsLock() {
    Isolation tableLocks = Isolation.of(mariaDb("MyISAM"), Lockers.DATABASE);
    assertEquals("LOCK TABLES items WRITE, bids WRITE", tableLocks.begin(TABLES));
    assertEquals("UNLOCK TABLES", tableLocks.commit());
    Isolation nothing = Isolation.of(mariaDb("MyISAM"), Lockers.SERVLETS);
    assertEquals("", nothing.begin(TABLES) + nothing.commit() + nothing.lock());
  }

  private static Environment mariaDb(String engine) {
    Map<String, String> variables = new HashMap<>(environment("mariadb", "text").variables());
    variables.put("TIERBENCH_DB_ENGINE", engine);
    return new Environment(variables);
  }
}
