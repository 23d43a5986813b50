package tierbench.bookstore.data;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import tierbench.bookstore.rules.CartBook;
import tierbench.bookstore.rules.CartChange;
import tierbench.bookstore.rules.CartLine;
import tierbench.bookstore.rules.CartUpdate;
import tierbench.bookstore.rules.CheckoutBook;
import tierbench.bookstore.rules.KeptCart;
import tierbench.bookstore.rules.OrderLine;
import tierbench.bookstore.rules.Refusal;
import tierbench.bookstore.rules.Related;
import tierbench.common.Fault;
import tierbench.common.data.Columns;
import tierbench.common.data.Entity;
import tierbench.common.data.Mapper;
import tierbench.common.data.Session;

/** The carts with their lines. */
public final class Carts {
  private Carts() {}

  /** What is read of a cart: the order that it became, if it did. */
  private record Cart(Optional<Integer> order) {}

  /** Refuses a cart that there isn't, or that was ordered. */
  public static void check(Session session, int id) throws SQLException {
    find(session, id, "").order().ifPresent(Carts::refuse);
  }

  private static void refuse(int order) {
    throw Refusal.ordered(order);
  }

  /** The books in a cart, as the cart shows them. */
  public static List<CartBook> books(Session session, int id) throws SQLException {
    return books(
        session,
        "i_id, i_title, i_thumbnail, i_cost, i_srp, i_backing, scl_qty",
        row ->
            new CartBook(
                Books.cover(row),
                Columns.money(row, "i_cost"),
                Columns.money(row, "i_srp"),
                row.getString("i_backing"),
                row.getInt("scl_qty")),
        id);
  }

  /** The same, as the checkout shows them, at the prices for everybody. */
  public static List<CheckoutBook> checkout(Session session, int id) throws SQLException {
    return books(
        session,
        "i_id, i_title, i_cost, scl_qty",
        row ->
            new CheckoutBook(
                row.getString("i_title"), Columns.money(row, "i_cost"), row.getInt("scl_qty")),
        id);
  }

  /** The same, as they are ordered by somebody with this discount. */
  public static List<OrderLine> ordered(Session session, int id, int discount) throws SQLException {
    return books(
        session,
        "scl_id, i_id, scl_qty, i_title, i_cost",
        row ->
            OrderLine.reduced(
                new CartLine(row.getInt("scl_id"), row.getInt("i_id"), row.getInt("scl_qty")),
                row.getString("i_title"),
                Columns.money(row, "i_cost"),
                discount),
        id);
  }

  private static <T> List<T> books(Session session, String columns, Mapper<T> mapper, int id)
      throws SQLException {
    return session.rows(
        """
        SELECT %s FROM shopping_cart_line JOIN item ON i_id = scl_i_id WHERE scl_sc_id = ?
        ORDER BY scl_id"""
            .formatted(columns),
        mapper,
        id);
  }

  /** What others take for a cart that nobody else may change. */
  static Entity entity(int id) {
    return new Entity("shopping_cart", id);
  }

  /**
   * The order that a cart became; nobody else can change the cart until the work ends. What is read
   * of it afterwards was written before.
   */
  static Optional<Integer> lock(Session session, int id) throws SQLException {
    return find(session, id, session.lock()).order();
  }

  /** The same, where the cart must not have been ordered. */
  static void lockOpen(Session session, int id) throws SQLException {
    lock(session, id).ifPresent(Carts::refuse);
  }

  private static Cart find(Session session, int id, String lock) throws SQLException {
    return session
        .row("SELECT sc_o_id FROM shopping_cart WHERE sc_id = ?" + lock, Carts::cart, id)
        .orElseThrow(() -> Fault.unknown("cart", id));
  }

  private static Cart cart(ResultSet row) throws SQLException {
    return new Cart(Optional.ofNullable(row.getObject("sc_o_id", Integer.class)));
  }

  static List<CartLine> lines(Session session, int id) throws SQLException {
    return session.rows(
        "SELECT scl_id, scl_i_id, scl_qty FROM shopping_cart_line WHERE scl_sc_id = ? ORDER BY scl_id",
        row -> new CartLine(row.getInt("scl_id"), row.getInt("scl_i_id"), row.getInt("scl_qty")),
        id);
  }

  /**
   * Changes a cart, or a new one if there is none or it was ordered. Into a cart in which nothing
   * would be left a book is put that its number chooses of so many.
   */
  public static KeptCart change(Session session, Optional<Integer> id, CartUpdate update, int items)
      throws SQLException {
    return session.atomically(
        id.map(Carts::entity).stream().toList(),
        List.of("shopping_cart", "shopping_cart_line"),
        () -> changeLocked(session, id, update, items));
  }

  private static KeptCart changeLocked(
      Session session, Optional<Integer> id, CartUpdate update, int items) throws SQLException {
    boolean isOpen = id.isPresent() && lock(session, id.get()).isEmpty();
    List<CartLine> lines = isOpen ? lines(session, id.get()) : List.of();
    CartChange change = CartChange.of(lines, update);
    int cart = isOpen ? touch(session, id.get()) : begin(session);
    write(session, change);
    Optional<Integer> added =
        change.isEmptied() ? Optional.of(Related.scattered(cart, items)) : change.added();
    if (added.isPresent()) {
      insert(session, cart, added.get());
    }
    return new KeptCart(cart, !isOpen, change.isEmptied());
  }

  private static int touch(Session session, int id) throws SQLException {
    session.update("UPDATE shopping_cart SET sc_time = NOW() WHERE sc_id = ?", id);
    return id;
  }

  private static int begin(Session session) throws SQLException {
    return session.insertKeyed(
        "sc_id", "INSERT INTO shopping_cart (sc_time, sc_o_id) VALUES (NOW(), NULL)");
  }

  /** Each line is changed by its own id, which locks nothing that another cart's owner wants. */
  private static void write(Session session, CartChange change) throws SQLException {
    for (CartLine line : change.gone()) {
      delete(session, line);
    }
    for (CartLine line : change.changed()) {
      session.update(
          "UPDATE shopping_cart_line SET scl_qty = ? WHERE scl_id = ?", line.quantity(), line.id());
    }
  }

  static void delete(Session session, CartLine line) throws SQLException {
    session.update("DELETE FROM shopping_cart_line WHERE scl_id = ?", line.id());
  }

  private static void insert(Session session, int cart, int item) throws SQLException {
    session.insertKeyed(
        "scl_id",
        "INSERT INTO shopping_cart_line (scl_sc_id, scl_i_id, scl_qty) VALUES (?, ?, 1)",
        cart,
        item);
  }

  /** A cart that was ordered. */
  static void close(Session session, int id, int order) throws SQLException {
    session.update(
        "UPDATE shopping_cart SET sc_time = NOW(), sc_o_id = ? WHERE sc_id = ?", order, id);
  }
}
