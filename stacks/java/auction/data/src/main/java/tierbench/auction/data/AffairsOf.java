package tierbench.auction.data;

import java.sql.SQLException;
import java.util.List;
import tierbench.auction.rules.Affairs;
import tierbench.common.data.Columns;
import tierbench.common.data.Session;

/** All that concerns a user. */
public final class AffairsOf {
  private AffairsOf() {}

  public static Affairs user(Session session, int id) throws SQLException {
    return new Affairs(
        profile(session, id),
        bids(session, id),
        won(session, id),
        bought(session, id),
        selling(session, id),
        sold(session, id),
        Comments.about(session, id));
  }

  private static Affairs.Profile profile(Session session, int id) throws SQLException {
    return session
        .row(
            """
            SELECT u.firstname, u.lastname, u.nickname, u.email, u.rating, u.balance, u.creation_date, r.name AS region
            FROM users u JOIN regions r ON r.id = u.region WHERE u.id = ?""",
            row ->
                new Affairs.Profile(
                    row.getString("firstname"),
                    row.getString("lastname"),
                    row.getString("nickname"),
                    row.getString("email"),
                    row.getInt("rating"),
                    Columns.money(row, "balance"),
                    Columns.instant(row, "creation_date"),
                    row.getString("region")),
            id)
        .orElseThrow(
            () -> new IllegalStateException("user %d or their region is gone".formatted(id)));
  }

  /** The open items that the user bids on, those that end first on top. */
  private static List<Affairs.OwnBid> bids(Session session, int id) throws SQLException {
    return session.rows(
        """
        SELECT i.id, i.name, i.initial_price, i.max_bid, i.nb_of_bids, i.end_date,
            MAX(b.bid) AS own_bid, MAX(b.max_bid) AS own_most
        FROM bids b JOIN items i ON i.id = b.item_id WHERE b.user_id = ? AND i.end_date >= NOW()
        GROUP BY i.id, i.name, i.initial_price, i.max_bid, i.nb_of_bids, i.end_date ORDER BY i.end_date, i.id""",
        row ->
            new Affairs.OwnBid(
                row.getInt("id"),
                row.getString("name"),
                Columns.money(row, "initial_price"),
                Items.highestBid(row),
                row.getInt("nb_of_bids"),
                Columns.instant(row, "end_date"),
                Columns.money(row, "own_bid"),
                Columns.money(row, "own_most")),
        id);
  }

  /**
   * The closed items whose leader is the user and whose price has reached the reserve, the latest
   * on top.
   */
  private static List<Affairs.Won> won(Session session, int id) throws SQLException {
    return session.rows(
        """
        SELECT i.id, i.name, i.max_bid, i.end_date, i.seller, u.nickname
        FROM items i JOIN users u ON u.id = i.seller
        WHERE i.id IN (SELECT item_id FROM bids WHERE user_id = ?) AND i.end_date < NOW()
            AND i.quantity > 0 AND i.max_bid >= i.reserve_price
            AND (SELECT b.user_id FROM bids b WHERE b.item_id = i.id ORDER BY b.max_bid DESC, b.id LIMIT 1) = ?
        ORDER BY i.end_date DESC, i.id DESC""",
        row ->
            new Affairs.Won(
                row.getInt("id"),
                row.getString("name"),
                Columns.money(row, "max_bid"),
                Columns.instant(row, "end_date"),
                row.getInt("seller"),
                row.getString("nickname")),
        id,
        id);
  }

  /** What the user has bought at once in the last 30 days, the latest on top. */
  private static List<Affairs.Bought> bought(Session session, int id) throws SQLException {
    return session.rows(
        """
        SELECT p.id, p.item_id, p.qty, p.date, i.name, i.buy_now FROM buy_now p JOIN items i ON i.id = p.item_id
        WHERE p.buyer_id = ? AND p.date >= NOW() - INTERVAL '30' DAY
        UNION ALL
        SELECT p.id, p.item_id, p.qty, p.date, i.name, i.buy_now FROM buy_now p JOIN old_items i ON i.id = p.item_id
        WHERE p.buyer_id = ? AND p.date >= NOW() - INTERVAL '30' DAY
        ORDER BY date DESC, id DESC""",
        row ->
            new Affairs.Bought(
                row.getInt("item_id"),
                row.getString("name"),
                Columns.money(row, "buy_now"),
                row.getInt("qty"),
                Columns.instant(row, "date")),
        id,
        id);
  }

  /** The open items of the user, those that end first on top. */
  private static List<Affairs.Selling> selling(Session session, int id) throws SQLException {
    return session.rows(
        """
        SELECT id, name, initial_price, quantity, reserve_price, buy_now, nb_of_bids, max_bid, end_date FROM items
        WHERE seller = ? AND end_date >= NOW() ORDER BY end_date, id""",
        row ->
            new Affairs.Selling(
                row.getInt("id"),
                row.getString("name"),
                Columns.money(row, "initial_price"),
                row.getInt("quantity"),
                Columns.money(row, "reserve_price"),
                Columns.money(row, "buy_now"),
                row.getInt("nb_of_bids"),
                Items.highestBid(row),
                Columns.instant(row, "end_date")),
        id);
  }

  /** The items of the user that have closed in the last 30 days, the latest on top. */
  private static List<Affairs.Sold> sold(Session session, int id) throws SQLException {
    return session.rows(
        """
        SELECT id, name, quantity, reserve_price, max_bid, end_date FROM items
        WHERE seller = ? AND end_date < NOW() AND end_date >= NOW() - INTERVAL '30' DAY
        UNION ALL
        SELECT id, name, quantity, reserve_price, max_bid, end_date FROM old_items
        WHERE seller = ? AND end_date >= NOW() - INTERVAL '30' DAY
        ORDER BY end_date DESC, id DESC""",
        row ->
            new Affairs.Sold(
                row.getInt("id"),
                row.getString("name"),
                row.getInt("quantity"),
                Columns.money(row, "reserve_price"),
                Items.highestBid(row),
                Columns.instant(row, "end_date")),
        id,
        id);
  }
}
