package tierbench.auction.data;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tierbench.auction.rules.Bid;
import tierbench.auction.rules.BidItem;
import tierbench.auction.rules.Bidding;
import tierbench.auction.rules.ItemRules;
import tierbench.auction.rules.Leader;
import tierbench.auction.rules.PlacedBid;
import tierbench.common.data.Columns;
import tierbench.common.data.Entity;
import tierbench.common.data.Session;

/** The bids. */
public final class Bids {
  private Bids() {}

  /** All bids on an item, the latest on top. */
  public static List<PlacedBid> history(Session session, int item) throws SQLException {
    return session.rows(
        """
        SELECT b.user_id, u.nickname, b.bid, b.qty, b.date FROM bids b JOIN users u ON u.id = b.user_id
        WHERE b.item_id = ? ORDER BY b.date DESC, b.id DESC""",
        row ->
            new PlacedBid(
                row.getInt("user_id"),
                row.getString("nickname"),
                Columns.money(row, "bid"),
                row.getInt("qty"),
                Columns.instant(row, "date")),
        item);
  }

  /** What has come of an offer, and the id of the bidder's own bid. */
  public record Recorded(int id, Bidding bidding) {}

  /** Records a bid, with the answer to it if there is one, and raises the price of its item. */
  public static Recorded record(Session session, Bid offer) throws SQLException {
    return session.atomically(
        new Entity("items", offer.item()), List.of("items", "bids"), () -> settle(session, offer));
  }

  private static Recorded settle(Session session, Bid offer) throws SQLException {
    ItemRules.checkBid(lock(session, offer.item()), offer);
    Bidding bidding = Bidding.settle(offer, leader(session, offer.item()));
    List<Integer> ids = new ArrayList<>();
    for (Bid bid : bidding.bids()) {
      ids.add(insert(session, bid));
    }
    session.update(
        "UPDATE items SET nb_of_bids = nb_of_bids + ?, max_bid = ? WHERE id = ?",
        ids.size(),
        bidding.leading().amount(),
        offer.item());
    return new Recorded(ids.get(0), bidding);
  }

  private static BidItem lock(Session session, int id) throws SQLException {
    return session
        .row(
            """
            SELECT initial_price, quantity, max_bid, seller, end_date >= %s AS open FROM items WHERE id = ?%s"""
                .formatted(session.now(), session.lock()),
            row ->
                new BidItem(
                    id,
                    Columns.money(row, "initial_price"),
                    row.getInt("quantity"),
                    Items.highestBid(row),
                    row.getInt("seller"),
                    row.getBoolean("open")),
            id)
        .orElseThrow(() -> Items.unknown(id));
  }

  private static Optional<Leader> leader(Session session, int item) throws SQLException {
    return session.row(
        "SELECT user_id, qty, max_bid FROM bids WHERE item_id = ? ORDER BY max_bid DESC, id LIMIT 1",
        row -> new Leader(row.getInt("user_id"), Columns.money(row, "max_bid"), row.getInt("qty")),
        item);
  }

  private static int insert(Session session, Bid bid) throws SQLException {
    return session.insert(
        "INSERT INTO bids (user_id, item_id, qty, bid, max_bid, date) VALUES (?, ?, ?, ?, ?, %s)"
            .formatted(session.now()),
        bid.user(),
        bid.item(),
        bid.quantity(),
        bid.amount(),
        bid.most());
  }
}
