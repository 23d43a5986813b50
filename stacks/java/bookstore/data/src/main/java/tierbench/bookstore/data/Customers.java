package tierbench.bookstore.data;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import tierbench.bookstore.rules.Buyer;
import tierbench.bookstore.rules.Customer;
import tierbench.bookstore.rules.NewCustomer;
import tierbench.bookstore.rules.Refusal;
import tierbench.common.Fault;
import tierbench.common.Password;
import tierbench.common.data.Entity;
import tierbench.common.data.Session;

/** Those who shop. */
public final class Customers {
  private Customers() {}

  private record Credentials(int id, String password) {}

  /** The id of the customer who has this user name and password. */
  public static int logIn(Session session, String uname, String password) throws SQLException {
    return session
        .row(
            "SELECT c_id, c_passwd FROM customer WHERE c_uname = ?",
            row -> new Credentials(row.getInt("c_id"), row.getString("c_passwd")),
            uname)
        .filter(customer -> Password.isRight(uname, password, customer.password()))
        .orElseThrow(Refusal::wrongLogIn)
        .id();
  }

  /** By which name a customer is greeted. */
  public static String name(Session session, int id) throws SQLException {
    return session
        .row(
            "SELECT c_fname, c_lname FROM customer WHERE c_id = ?",
            row -> row.getString("c_fname") + ' ' + row.getString("c_lname"),
            id)
        .orElseThrow(() -> unknown(id));
  }

  /** Notes that a customer has logged in. */
  public static void note(Session session, int id) throws SQLException {
    session.update(
        """
        UPDATE customer SET c_last_login = c_login, c_login = NOW(), c_expiration = NOW() + INTERVAL '2' HOUR
        WHERE c_id = ?""",
        id);
  }

  /** All that the checkout shows of a customer who is there. */
  public static Customer atCheckout(Session session, int id) throws SQLException {
    return session
        .row(
            """
            SELECT c_fname, c_lname, c_email, c_discount, %s FROM customer JOIN address ON addr_id = c_addr_id
                JOIN country ON co_id = addr_co_id WHERE c_id = ?"""
                .formatted(Addresses.COLUMNS),
            row ->
                new Customer(
                    row.getString("c_fname"),
                    row.getString("c_lname"),
                    row.getString("c_email"),
                    row.getInt("c_discount"),
                    Addresses.address(row)),
            id)
        .orElseThrow(() -> new IllegalStateException("customer %d is gone".formatted(id)));
  }

  /** What an order takes over of a customer. */
  public static Buyer buyer(Session session, int id) throws SQLException {
    return session
        .row(
            """
            SELECT c_discount, c_addr_id, addr_co_id FROM customer JOIN address ON addr_id = c_addr_id
            WHERE c_id = ?""",
            row ->
                new Buyer(
                    id,
                    row.getInt("c_discount"),
                    row.getInt("c_addr_id"),
                    row.getInt("addr_co_id")),
            id)
        .orElseThrow(() -> unknown(id));
  }

  private static Fault unknown(int id) {
    return Fault.unknown("customer", id);
  }

  /**
   * Adds a customer, with an address that is there already or a new one, and returns the id. Where
   * two register with the same user name at once, the unique key refuses one of them.
   */
  public static int register(Session session, NewCustomer customer) throws SQLException {
    try {
      return session.atomically(
          List.of(
              new Entity("customer", customer.uname().hashCode()),
              Addresses.entity(customer.address())),
          List.of("customer", "address"),
          () -> insert(session, customer));
    } catch (SQLException e) {
      if (Session.isDuplicate(e)) {
        throw Refusal.unameTaken(customer.uname());
      }
      throw e;
    }
  }

  /** Looks first, so that a refusal uses up no id. */
  private static int insert(Session session, NewCustomer customer) throws SQLException {
    Optional<Integer> other =
        session.row(
            "SELECT c_id FROM customer WHERE c_uname = ?",
            row -> row.getInt("c_id"),
            customer.uname());
    if (other.isPresent()) {
      throw Refusal.unameTaken(customer.uname());
    }
    int address = Addresses.findOrInsert(session, customer.address());
    return session.insertKeyed(
        "c_id",
        """
        INSERT INTO customer (c_uname, c_passwd, c_fname, c_lname, c_addr_id, c_phone, c_email, c_since,
            c_last_login, c_login, c_expiration, c_discount, c_balance, c_ytd_pmt, c_birthdate, c_data)
        VALUES (?, ?, ?, ?, ?, ?, ?, NOW(), NOW(), NOW(), NOW() + INTERVAL '2' HOUR, ?, 0, 0, ?, ?)""",
        customer.uname(),
        customer.passwordHash(),
        customer.firstName(),
        customer.lastName(),
        address,
        customer.phone(),
        customer.email(),
        customer.discount(),
        customer.birthdate().atStartOfDay(),
        customer.data());
  }
}
