package tierbench.bookstore.data;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import tierbench.bookstore.rules.CartLine;
import tierbench.bookstore.rules.LastOrder;
import tierbench.bookstore.rules.Order;
import tierbench.bookstore.rules.OrderLine;
import tierbench.bookstore.rules.OrderedBook;
import tierbench.bookstore.rules.PlacedOrder;
import tierbench.bookstore.rules.Stock;
import tierbench.common.data.Columns;
import tierbench.common.data.Entity;
import tierbench.common.data.Session;

/** The orders. */
public final class Orders {
  private static final List<String> TABLES =
      List.of("shopping_cart", "shopping_cart_line", "orders", "order_line", "cc_xacts", "item");

  private Orders() {}

  /** The last order of a customer, if there is one. */
  public static Optional<LastOrder> last(Session session, int customer) throws SQLException {
    Optional<PlacedOrder> last =
        session.row(
            """
            SELECT o_id, o_date, o_sub_total, o_tax, o_total, o_ship_type, o_ship_date, o_bill_addr_id,
                o_ship_addr_id, o_status, cx_type, cx_num, cx_name, cx_auth_id
            FROM orders JOIN cc_xacts ON cx_o_id = o_id WHERE o_c_id = ? ORDER BY o_id DESC LIMIT 1""",
            Orders::placed,
            customer);
    if (last.isEmpty()) {
      return Optional.empty();
    }
    PlacedOrder order = last.get();
    return Optional.of(
        new LastOrder(
            order,
            Addresses.find(session, order.billAddress()),
            Addresses.find(session, order.shipAddress()),
            books(session, order.id())));
  }

  private static PlacedOrder placed(ResultSet row) throws SQLException {
    return new PlacedOrder(
        row.getInt("o_id"),
        Columns.instant(row, "o_date"),
        Columns.money(row, "o_sub_total"),
        Columns.money(row, "o_tax"),
        Columns.money(row, "o_total"),
        row.getString("o_ship_type"),
        Columns.instant(row, "o_ship_date"),
        row.getInt("o_bill_addr_id"),
        row.getInt("o_ship_addr_id"),
        row.getString("o_status"),
        row.getString("cx_type"),
        row.getString("cx_num"),
        row.getString("cx_name"),
        row.getString("cx_auth_id"));
  }

  private static List<OrderedBook> books(Session session, int id) throws SQLException {
    return session.rows(
        """
        SELECT ol_i_id, i_title, ol_qty, ol_discount, ol_price, ol_comments
        FROM order_line JOIN item ON i_id = ol_i_id WHERE ol_o_id = ? ORDER BY ol_id""",
        row ->
            new OrderedBook(
                row.getInt("ol_i_id"),
                row.getString("i_title"),
                row.getInt("ol_qty"),
                row.getInt("ol_discount"),
                Columns.money(row, "ol_price"),
                row.getString("ol_comments")),
        id);
  }

  /**
   * Records an order for which the bank has authorised the payment, and returns its id. It is
   * refused if its cart was ordered or changed meanwhile.
   */
  public static int place(Session session, Order order, String authorization) throws SQLException {
    return session.atomically(
        entities(order), tables(order), () -> record(session, order, authorization));
  }

  /** In the order in which all lock them, so that no two orders wait for each other. */
  private static List<Entity> entities(Order order) {
    List<Entity> entities = new ArrayList<>();
    entities.add(Carts.entity(order.cart()));
    order.elsewhere().map(Addresses::entity).ifPresent(entities::add);
    byBook(order).forEach(line -> entities.add(new Entity("item", line.item())));
    return entities;
  }

  private static List<String> tables(Order order) {
    List<String> tables = new ArrayList<>(TABLES);
    if (order.elsewhere().isPresent()) {
      tables.add("address");
    }
    return tables;
  }

  private static List<CartLine> byBook(Order order) {
    return order.lines().stream()
        .map(OrderLine::line)
        .sorted(Comparator.comparingInt(CartLine::item))
        .toList();
  }

  private static int record(Session session, Order order, String authorization)
      throws SQLException {
    Carts.lockOpen(session, order.cart());
    order.checkUnchanged(Carts.lines(session, order.cart()));
    int address =
        order.elsewhere().isPresent()
            ? Addresses.findOrInsert(session, order.elsewhere().get())
            : order.buyer().address();
    int id = insert(session, order, address);
    for (OrderLine line : order.lines()) {
      insert(session, id, line, order.buyer().discount());
    }
    insertPayment(session, id, order, authorization);
    for (OrderLine line : order.lines()) {
      Carts.delete(session, line.line());
    }
    Carts.close(session, order.cart(), id);
    // Last, because many want these rows.
    for (CartLine line : byBook(order)) {
      takeFromStock(session, line);
    }
    return id;
  }

  private static int insert(Session session, Order order, int address) throws SQLException {
    return session.insertKeyed(
        "o_id",
        """
        INSERT INTO orders (o_c_id, o_date, o_sub_total, o_tax, o_total, o_ship_type, o_ship_date,
            o_bill_addr_id, o_ship_addr_id, o_status)
        VALUES (?, NOW(), ?, ?, ?, ?, NOW() + INTERVAL '%d' DAY, ?, ?, 'PENDING')"""
            .formatted(order.shipping().days()),
        order.buyer().id(),
        order.totals().subTotal(),
        order.totals().tax(),
        order.totals().total(),
        order.shipping().name(),
        order.buyer().address(),
        address);
  }

  private static void insert(Session session, int order, OrderLine line, int discount)
      throws SQLException {
    session.insertKeyed(
        "ol_id",
        """
        INSERT INTO order_line (ol_o_id, ol_i_id, ol_qty, ol_discount, ol_price, ol_comments)
        VALUES (?, ?, ?, ?, ?, ?)""",
        order,
        line.line().item(),
        line.quantity(),
        discount,
        line.price(),
        line.comments());
  }

  private static void insertPayment(Session session, int id, Order order, String authorization)
      throws SQLException {
    session.update(
        """
        INSERT INTO cc_xacts (cx_o_id, cx_type, cx_num, cx_name, cx_expire, cx_auth_id, cx_xact_amt,
            cx_xact_date, cx_co_id) VALUES (?, ?, ?, ?, ?, ?, ?, NOW(), ?)""",
        id,
        order.card().type(),
        order.card().masked(),
        order.card().name(),
        order.card().expiry().atDay(1).atStartOfDay(),
        authorization,
        order.totals().total(),
        order.country());
  }

  private static void takeFromStock(Session session, CartLine line) throws SQLException {
    int stock =
        session
            .row(
                "SELECT i_stock FROM item WHERE i_id = ?" + session.lock(),
                row -> row.getInt("i_stock"),
                line.item())
            .orElseThrow(() -> Books.unknown(line.item()));
    session.update(
        "UPDATE item SET i_stock = ? WHERE i_id = ?",
        Stock.without(line.quantity(), stock),
        line.item());
  }
}
