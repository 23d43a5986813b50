package tierbench.bookstore.data;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import tierbench.bookstore.rules.Address;
import tierbench.bookstore.rules.Country;
import tierbench.bookstore.rules.NewAddress;
import tierbench.common.Fault;
import tierbench.common.data.Entity;
import tierbench.common.data.Session;

/** The addresses, and the countries that they are in. */
public final class Addresses {
  static final String COLUMNS =
      "addr_street1, addr_street2, addr_city, addr_state, addr_zip, co_name";

  private Addresses() {}

  /** All countries, by name. */
  public static List<Country> countries(Session session) throws SQLException {
    return session.rows(
        "SELECT co_id, co_name FROM country ORDER BY co_name, co_id",
        row -> new Country(row.getInt("co_id"), row.getString("co_name")));
  }

  /** Refuses a country that is none. */
  public static void check(Session session, NewAddress address) throws SQLException {
    Optional<String> country =
        session.row(
            "SELECT co_name FROM country WHERE co_id = ?",
            row -> row.getString("co_name"),
            address.country());
    if (country.isEmpty()) {
      throw Fault.parameter("COUNTRY");
    }
  }

  /** Only for addresses that another row refers to. */
  static Address find(Session session, int id) throws SQLException {
    return session
        .row(
            "SELECT %s FROM address JOIN country ON co_id = addr_co_id WHERE addr_id = ?"
                .formatted(COLUMNS),
            Addresses::address,
            id)
        .orElseThrow(() -> new IllegalStateException("there is no address %d".formatted(id)));
  }

  static Address address(ResultSet row) throws SQLException {
    return new Address(
        row.getString("addr_street1"),
        row.getString("addr_street2"),
        row.getString("addr_city"),
        row.getString("addr_state"),
        row.getString("addr_zip"),
        row.getString("co_name"));
  }

  /** Nobody else looks for the same address meanwhile. Few others wait in vain. */
  static Entity entity(NewAddress address) {
    return new Entity("address", address.hashCode());
  }

  /** The id of the first address that is the same, or else of a new one. */
  static int findOrInsert(Session session, NewAddress address) throws SQLException {
    Optional<Integer> known =
        session.row(
            """
            SELECT addr_id FROM address WHERE addr_zip = ? AND addr_street1 = ? AND addr_street2 = ?
                AND addr_city = ? AND addr_state = ? AND addr_co_id = ? ORDER BY addr_id LIMIT 1""",
            row -> row.getInt("addr_id"),
            address.zip(),
            address.street1(),
            address.street2(),
            address.city(),
            address.state(),
            address.country());
    return known.isPresent() ? known.get() : insert(session, address);
  }

  private static int insert(Session session, NewAddress address) throws SQLException {
    return session.insertKeyed(
        "addr_id",
        """
        INSERT INTO address (addr_street1, addr_street2, addr_city, addr_state, addr_zip, addr_co_id)
        VALUES (?, ?, ?, ?, ?, ?)""",
        address.street1(),
        address.street2(),
        address.city(),
        address.state(),
        address.zip(),
        address.country());
  }
}
