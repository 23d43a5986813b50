package tierbench.auction.data;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import tierbench.auction.rules.FoundItem;
import tierbench.auction.rules.Item;
import tierbench.auction.rules.NewItem;
import tierbench.auction.rules.SoldBy;
import tierbench.common.Fault;
import tierbench.common.Money;
import tierbench.common.data.Columns;
import tierbench.common.data.Entity;
import tierbench.common.data.Mapper;
import tierbench.common.data.Session;

/**
 * The items: those for sale, with those that have closed lately, and the old ones in a table of
 * their own.
 */
public final class Items {
  private static final String FACTS =
      """
      name, description, initial_price, quantity, buy_now, nb_of_bids, max_bid, start_date, end_date, seller, category, \
      end_date >= NOW() AS open""";

  private Items() {}

  /** All that the page of an item for sale shows. */
  public static Item forSale(Session session, int id) throws SQLException {
    return find(session, FACTS, "items", id, row -> item(id, row)).orElseThrow(() -> unknown(id));
  }

  /** The same of any item, however old. */
  public static Item any(Session session, int id) throws SQLException {
    return findAny(session, FACTS, id, row -> item(id, row));
  }

  public static String name(Session session, int id) throws SQLException {
    return findAny(session, "name", id, row -> row.getString("name"));
  }

  public static SoldBy soldBy(Session session, int id) throws SQLException {
    return findAny(
        session,
        "name, seller",
        id,
        row -> new SoldBy(id, row.getString("name"), row.getInt("seller")));
  }

  /** The open items of a category, those that end first on top. */
  public static List<FoundItem> ofCategory(Session session, int category, int before, int size)
      throws SQLException {
    return session.rows(
        """
        SELECT id, name, initial_price, max_bid, nb_of_bids, buy_now, end_date FROM items
        WHERE category = ? AND end_date >= NOW() ORDER BY end_date, id LIMIT ? OFFSET ?""",
        Items::found,
        category,
        size,
        before);
  }

  /** Those of them whose sellers live in a region. */
  public static List<FoundItem> ofRegion(
      Session session, int category, int region, int before, int size) throws SQLException {
    return session.rows(
        """
        SELECT i.id, i.name, i.initial_price, i.max_bid, i.nb_of_bids, i.buy_now, i.end_date
        FROM items i JOIN users u ON u.id = i.seller
        WHERE i.category = ? AND u.region = ? AND i.end_date >= NOW() ORDER BY i.end_date, i.id LIMIT ? OFFSET ?""",
        Items::found,
        category,
        region,
        size,
        before);
  }

  /** Puts an item up for sale, takes the fee for it from the seller, and returns its id. */
  public static int register(Session session, NewItem item, int seller) throws SQLException {
    return session.atomically(
        new Entity("users", seller),
        List.of("items", "users"),
        () -> {
          int id = insert(session, item, seller);
          session.update(
              "UPDATE users SET balance = balance - " + NewItem.FEE + " WHERE id = ?", seller);
          return id;
        });
  }

  private static int insert(Session session, NewItem item, int seller) throws SQLException {
    return session.insert(
        """
        INSERT INTO items (name, description, initial_price, quantity, reserve_price, buy_now, nb_of_bids,
            start_date, end_date, seller, category)
        VALUES (?, ?, ?, ?, ?, ?, 0, %1$s, %1$s + INTERVAL '%2$d' DAY, ?, ?)"""
            .formatted(session.now(), item.days()),
        item.name(),
        item.description(),
        item.initialPrice(),
        item.quantity(),
        item.reservePrice(),
        item.buyNow(),
        seller,
        item.category());
  }

  /** When an item's auction begins and ends. */
  public static Period period(Session session, int id) throws SQLException {
    return session
        .row(
            "SELECT start_date, end_date FROM items WHERE id = ?",
            row -> new Period(Columns.instant(row, "start_date"), Columns.instant(row, "end_date")),
            id)
        .orElseThrow(() -> new IllegalStateException("item %d is gone".formatted(id)));
  }

  /** The highest bid so far, if there is one. */
  static Optional<Money> highestBid(ResultSet row) throws SQLException {
    return Optional.ofNullable(row.getBigDecimal("max_bid")).map(Money::of);
  }

  static Fault unknown(int id) {
    return Fault.unknown("item", id);
  }

  private static <T> T findAny(Session session, String columns, int id, Mapper<T> mapper)
      throws SQLException {
    Optional<T> found = find(session, columns, "items", id, mapper);
    if (found.isEmpty()) {
      found = find(session, columns, "old_items", id, mapper);
    }
    return found.orElseThrow(() -> unknown(id));
  }

  private static <T> Optional<T> find(
      Session session, String columns, String table, int id, Mapper<T> mapper) throws SQLException {
    return session.row("SELECT %s FROM %s WHERE id = ?".formatted(columns, table), mapper, id);
  }

  private static Item item(int id, ResultSet row) throws SQLException {
    return new Item(
        id,
        row.getString("name"),
        row.getString("description"),
        Columns.money(row, "initial_price"),
        row.getInt("quantity"),
        Columns.money(row, "buy_now"),
        row.getInt("nb_of_bids"),
        highestBid(row),
        Columns.instant(row, "start_date"),
        Columns.instant(row, "end_date"),
        row.getInt("seller"),
        row.getInt("category"),
        row.getBoolean("open"));
  }

  private static FoundItem found(ResultSet row) throws SQLException {
    return new FoundItem(
        row.getInt("id"),
        row.getString("name"),
        Columns.money(row, "initial_price"),
        highestBid(row),
        row.getInt("nb_of_bids"),
        Columns.money(row, "buy_now"),
        Columns.instant(row, "end_date"));
  }
}
