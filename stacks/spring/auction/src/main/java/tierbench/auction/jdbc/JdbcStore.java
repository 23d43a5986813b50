package tierbench.auction.jdbc;

import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Profile;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;
import tierbench.auction.Affairs;
import tierbench.auction.Bid;
import tierbench.auction.NewItem;
import tierbench.auction.NewUser;
import tierbench.auction.Rows;
import tierbench.auction.Rows.Account;
import tierbench.auction.Rows.Biddable;
import tierbench.auction.Rows.Bought;
import tierbench.auction.Rows.FoundItem;
import tierbench.auction.Rows.Item;
import tierbench.auction.Rows.Leader;
import tierbench.auction.Rows.Named;
import tierbench.auction.Rows.OwnBid;
import tierbench.auction.Rows.Period;
import tierbench.auction.Rows.PlacedBid;
import tierbench.auction.Rows.PublicUser;
import tierbench.auction.Rows.Remark;
import tierbench.auction.Rows.Sale;
import tierbench.auction.Rows.Selling;
import tierbench.auction.Rows.Sold;
import tierbench.auction.Rows.SoldBy;
import tierbench.auction.Rows.Won;
import tierbench.auction.Store;

@Profile("jdbc")
@Repository
class JdbcStore implements Store {
  private static final String ITEM =
      """
      SELECT name, description, initial_price, quantity, buy_now, nb_of_bids, max_bid, start_date, end_date, seller, category,
          end_date >= NOW() AS open
      FROM %s WHERE id = ?""";

  private final JdbcClient jdbc;

  /** The second in which a statement began: PostgreSQL's NOW() is when the transaction did. */
  private final String now;

  JdbcStore(JdbcClient jdbc, @Value("${TIERBENCH_DB_SERVICE}") String database) {
    this.jdbc = jdbc;
    this.now =
        database.equals("postgresql") ? "DATE_TRUNC('second', STATEMENT_TIMESTAMP())" : "NOW()";
  }

  @Override
  public List<Named> categories() {
    return rows(Named.class, "SELECT id, name FROM categories ORDER BY id");
  }

  @Override
  public List<Named> regions() {
    return rows(Named.class, "SELECT id, name FROM regions ORDER BY id");
  }

  @Override
  public Optional<String> category(int id) {
    return row(String.class, "SELECT name FROM categories WHERE id = ?", id);
  }

  @Override
  public Optional<String> region(int id) {
    return row(String.class, "SELECT name FROM regions WHERE id = ?", id);
  }

  @Override
  public List<FoundItem> inCategory(int category, int page, int size) {
    return rows(
        FoundItem.class,
        """
        SELECT id, name, initial_price, max_bid, nb_of_bids, buy_now, end_date FROM items
        WHERE category = ? AND end_date >= NOW() ORDER BY end_date, id LIMIT ? OFFSET ?""",
        category,
        size,
        page * size);
  }

  @Override
  public List<FoundItem> inRegion(int category, int region, int page, int size) {
    return rows(
        FoundItem.class,
        """
        SELECT i.id, i.name, i.initial_price, i.max_bid, i.nb_of_bids, i.buy_now, i.end_date
        FROM items i JOIN users u ON u.id = i.seller
        WHERE i.category = ? AND u.region = ? AND i.end_date >= NOW() ORDER BY i.end_date, i.id LIMIT ? OFFSET ?""",
        category,
        region,
        size,
        page * size);
  }

  @Override
  public Optional<Item> itemForSale(int id) {
    return row(Item.class, ITEM.formatted("items"), id);
  }

  @Override
  public Optional<Item> oldItem(int id) {
    return row(Item.class, ITEM.formatted("old_items"), id);
  }

  @Override
  public Optional<String> itemName(int id) {
    return row(String.class, "SELECT name FROM items WHERE id = ?", id)
        .or(() -> row(String.class, "SELECT name FROM old_items WHERE id = ?", id));
  }

  @Override
  public Optional<SoldBy> soldBy(int id) {
    return row(SoldBy.class, "SELECT name, seller FROM items WHERE id = ?", id)
        .or(() -> row(SoldBy.class, "SELECT name, seller FROM old_items WHERE id = ?", id));
  }

  @Override
  public List<PlacedBid> bidsOn(int item) {
    return rows(
        PlacedBid.class,
        """
        SELECT b.user_id, u.nickname, b.bid, b.qty, b.date FROM bids b JOIN users u ON u.id = b.user_id
        WHERE b.item_id = ? ORDER BY b.date DESC, b.id DESC""",
        item);
  }

  @Override
  public String nickname(int user) {
    return row(String.class, "SELECT nickname FROM users WHERE id = ?", user).orElseThrow();
  }

  @Override
  public Optional<PublicUser> user(int id) {
    return row(
        PublicUser.class, "SELECT nickname, rating, creation_date FROM users WHERE id = ?", id);
  }

  @Override
  public List<Remark> commentsAbout(int user) {
    return rows(
        Remark.class,
        """
        SELECT c.from_user_id, u.nickname, c.item_id, c.rating, c.date, c.comment
        FROM comments c JOIN users u ON u.id = c.from_user_id
        WHERE c.to_user_id = ? ORDER BY c.date DESC, c.id DESC""",
        user);
  }

  @Override
  public Optional<Account> account(String nickname) {
    return row(Account.class, "SELECT id, password FROM users WHERE nickname = ?", nickname);
  }

  @Override
  public Affairs affairs(int user) {
    return new Affairs(
        profile(user),
        bids(user),
        won(user),
        bought(user),
        selling(user),
        sold(user),
        commentsAbout(user));
  }

  private Rows.Profile profile(int user) {
    return row(
            Rows.Profile.class,
            """
            SELECT u.firstname, u.lastname, u.nickname, u.email, u.rating, u.balance, u.creation_date, r.name AS region
            FROM users u JOIN regions r ON r.id = u.region WHERE u.id = ?""",
            user)
        .orElseThrow();
  }

  private List<OwnBid> bids(int user) {
    return rows(
        OwnBid.class,
        """
        SELECT i.id, i.name, i.initial_price, i.max_bid, i.nb_of_bids, i.end_date,
            MAX(b.bid) AS own_bid, MAX(b.max_bid) AS own_most
        FROM bids b JOIN items i ON i.id = b.item_id WHERE b.user_id = ? AND i.end_date >= NOW()
        GROUP BY i.id, i.name, i.initial_price, i.max_bid, i.nb_of_bids, i.end_date ORDER BY i.end_date, i.id""",
        user);
  }

  private List<Won> won(int user) {
    return rows(
        Won.class,
        """
        SELECT i.id, i.name, i.max_bid, i.end_date, i.seller, u.nickname FROM items i JOIN users u ON u.id = i.seller
        WHERE i.id IN (SELECT item_id FROM bids WHERE user_id = ?) AND i.end_date < NOW()
            AND i.quantity > 0 AND i.max_bid >= i.reserve_price
            AND (SELECT b.user_id FROM bids b WHERE b.item_id = i.id ORDER BY b.max_bid DESC, b.id LIMIT 1) = ?
        ORDER BY i.end_date DESC, i.id DESC""",
        user,
        user);
  }

  private List<Bought> bought(int user) {
    return rows(
        Bought.class,
        """
        SELECT p.id, p.item_id, p.qty, p.date, i.name, i.buy_now FROM buy_now p JOIN items i ON i.id = p.item_id
        WHERE p.buyer_id = ? AND p.date >= NOW() - INTERVAL '30' DAY
        UNION ALL
        SELECT p.id, p.item_id, p.qty, p.date, i.name, i.buy_now FROM buy_now p JOIN old_items i ON i.id = p.item_id
        WHERE p.buyer_id = ? AND p.date >= NOW() - INTERVAL '30' DAY
        ORDER BY date DESC, id DESC""",
        user,
        user);
  }

  private List<Selling> selling(int user) {
    return rows(
        Selling.class,
        """
        SELECT id, name, initial_price, quantity, reserve_price, buy_now, nb_of_bids, max_bid, end_date FROM items
        WHERE seller = ? AND end_date >= NOW() ORDER BY end_date, id""",
        user);
  }

  private List<Sold> sold(int user) {
    return rows(
        Sold.class,
        """
        SELECT id, name, quantity, reserve_price, max_bid, end_date FROM items
        WHERE seller = ? AND end_date < NOW() AND end_date >= NOW() - INTERVAL '30' DAY
        UNION ALL
        SELECT id, name, quantity, reserve_price, max_bid, end_date FROM old_items
        WHERE seller = ? AND end_date >= NOW() - INTERVAL '30' DAY
        ORDER BY end_date DESC, id DESC""",
        user,
        user);
  }

  @Override
  public boolean isTaken(String nickname) {
    return row(Integer.class, "SELECT id FROM users WHERE nickname = ?", nickname).isPresent();
  }

  @Override
  public int addUser(NewUser user) {
    return insert(
        """
        INSERT INTO users (firstname, lastname, nickname, password, email, rating, balance, creation_date, region)
        VALUES (?, ?, ?, ?, ?, 0, 0, %s, ?)"""
            .formatted(now),
        user.firstname(),
        user.lastname(),
        user.nickname(),
        user.password(),
        user.email(),
        user.region());
  }

  @Override
  public LocalDateTime registered(int user) {
    return row(LocalDateTime.class, "SELECT creation_date FROM users WHERE id = ?", user)
        .orElseThrow();
  }

  /**
   * An interval is no parameter in SQL, so the days, which are from 1 to 7, are written into it.
   */
  @Override
  @Transactional
  public int addItem(NewItem item) {
    int id =
        insert(
            """
            INSERT INTO items (name, description, initial_price, quantity, reserve_price, buy_now, nb_of_bids,
                start_date, end_date, seller, category)
            VALUES (?, ?, ?, ?, ?, ?, 0, %1$s, %1$s + INTERVAL '%2$d' DAY, ?, ?)"""
                .formatted(now, item.days()),
            item.name(),
            item.description(),
            item.initialPrice(),
            item.quantity(),
            item.reservePrice(),
            item.buyNow(),
            item.seller(),
            item.category());
    update("UPDATE users SET balance = balance - 1.00 WHERE id = ?", item.seller());
    return id;
  }

  @Override
  public Period period(int item) {
    return row(Period.class, "SELECT start_date, end_date FROM items WHERE id = ?", item)
        .orElseThrow();
  }

  @Override
  @Transactional
  public int addComment(int from, int to, int item, int rating, String comment) {
    int id =
        insert(
            """
            INSERT INTO comments (from_user_id, to_user_id, item_id, rating, date, comment)
            VALUES (?, ?, ?, ?, %s, ?)"""
                .formatted(now),
            from,
            to,
            item,
            rating,
            comment);
    update("UPDATE users SET rating = rating + ? WHERE id = ?", rating, to);
    return id;
  }

  @Override
  public Optional<Biddable> lockForBid(int item) {
    return lock(Biddable.class, "initial_price, quantity, max_bid, seller", item);
  }

  @Override
  public Optional<Sale> lockForPurchase(int item) {
    return lock(Sale.class, "initial_price, quantity, buy_now, max_bid, seller", item);
  }

  private <T> Optional<T> lock(Class<T> type, String columns, int item) {
    return row(
        type,
        "SELECT %s, end_date >= %s AS open FROM items WHERE id = ? FOR UPDATE"
            .formatted(columns, now),
        item);
  }

  @Override
  public Optional<Leader> leader(int item) {
    return row(
        Leader.class,
        "SELECT user_id, qty, max_bid FROM bids WHERE item_id = ? ORDER BY max_bid DESC, id LIMIT 1",
        item);
  }

  @Override
  public int addBid(Bid bid) {
    return insert(
        "INSERT INTO bids (user_id, item_id, qty, bid, max_bid, date) VALUES (?, ?, ?, ?, ?, %s)"
            .formatted(now),
        bid.user(),
        bid.item(),
        bid.qty(),
        bid.bid(),
        bid.maxBid());
  }

  @Override
  public void raise(int item, int bids, BigDecimal price) {
    update(
        "UPDATE items SET nb_of_bids = nb_of_bids + ?, max_bid = ? WHERE id = ?",
        bids,
        price,
        item);
  }

  @Override
  public int addPurchase(int buyer, int item, int qty) {
    return insert(
        "INSERT INTO buy_now (buyer_id, item_id, qty, date) VALUES (?, ?, ?, %s)".formatted(now),
        buyer,
        item,
        qty);
  }

  @Override
  public void take(int item, int qty) {
    update("UPDATE items SET quantity = quantity - ? WHERE id = ?", qty, item);
  }

  @Override
  public void close(int item, int purchase) {
    update(
        "UPDATE items SET quantity = 0, end_date = %s - INTERVAL '1' SECOND WHERE id = ?"
            .formatted(now),
        item);
  }

  private <T> List<T> rows(Class<T> type, String statement, Object... values) {
    return jdbc.sql(statement).params(values).query(type).list();
  }

  private <T> Optional<T> row(Class<T> type, String statement, Object... values) {
    return jdbc.sql(statement).params(values).query(type).optional();
  }

  private int insert(String statement, Object... values) {
    GeneratedKeyHolder key = new GeneratedKeyHolder();
    jdbc.sql(statement).params(values).update(key, "id");
    return key.getKey().intValue();
  }

  private void update(String statement, Object... values) {
    jdbc.sql(statement).params(values).update();
  }
}
