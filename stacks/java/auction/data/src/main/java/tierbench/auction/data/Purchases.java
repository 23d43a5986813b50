package tierbench.auction.data;

import java.sql.SQLException;
import java.util.List;
import tierbench.auction.rules.ItemRules;
import tierbench.auction.rules.Purchase;
import tierbench.auction.rules.SaleItem;
import tierbench.common.data.Columns;
import tierbench.common.data.Entity;
import tierbench.common.data.Session;

/** What is bought at once. */
public final class Purchases {
  private Purchases() {}

  /** The id of a purchase, and its item as it was before. */
  public record Recorded(int id, SaleItem item) {}

  /** Records a purchase and takes it from what there is of the item. */
  public static Recorded record(Session session, Purchase purchase) throws SQLException {
    return session.atomically(
        new Entity("items", purchase.item()),
        List.of("items", "buy_now"),
        () -> buy(session, purchase));
  }

  private static Recorded buy(Session session, Purchase purchase) throws SQLException {
    SaleItem item = lock(session, purchase.item());
    ItemRules.checkPurchase(item, purchase);
    int id =
        session.insert(
            "INSERT INTO buy_now (buyer_id, item_id, qty, date) VALUES (?, ?, ?, %s)"
                .formatted(session.now()),
            purchase.buyer(),
            purchase.item(),
            purchase.quantity());
    take(session, item, purchase.quantity());
    return new Recorded(id, item);
  }

  private static SaleItem lock(Session session, int id) throws SQLException {
    return session
        .row(
            """
            SELECT initial_price, quantity, buy_now, max_bid, seller, end_date >= %s AS open FROM items
            WHERE id = ?%s"""
                .formatted(session.now(), session.lock()),
            row ->
                new SaleItem(
                    id,
                    Columns.money(row, "initial_price"),
                    row.getInt("quantity"),
                    Columns.money(row, "buy_now"),
                    Items.highestBid(row),
                    row.getInt("seller"),
                    row.getBoolean("open")),
            id)
        .orElseThrow(() -> Items.unknown(id));
  }

  /** The last copy closes the auction at once. */
  private static void take(Session session, SaleItem item, int quantity) throws SQLException {
    if (quantity < item.quantity()) {
      session.update("UPDATE items SET quantity = quantity - ? WHERE id = ?", quantity, item.id());
    } else {
      session.update(
          "UPDATE items SET quantity = 0, end_date = %s - INTERVAL '1' SECOND WHERE id = ?"
              .formatted(session.now()),
          item.id());
    }
  }
}
