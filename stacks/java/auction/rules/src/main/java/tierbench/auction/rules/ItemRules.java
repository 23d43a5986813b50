package tierbench.auction.rules;

/**
 * What users may do with an item. Rules are checked in the order in which they stand here; the
 * first broken one is the reason of the refusal.
 */
public final class ItemRules {
  private ItemRules() {}

  public static void checkBidder(Offered item, int user) {
    if (!item.isOpen()) {
      throw Refusal.closed(item.id());
    }
    if (item.seller() == user) {
      throw Refusal.ownItem(item.id());
    }
  }

  public static void checkBid(BidItem item, Bid offer) {
    checkBidder(item, offer.user());
    checkQuantity(item, offer.quantity());
    if (offer.amount().isLessThan(item.leastBid())) {
      throw Refusal.bidTooLow(item.id(), item.leastBid());
    }
    if (offer.most().isLessThan(offer.amount())) {
      throw Refusal.mostBelowBid(item.id());
    }
  }

  public static <T extends Offered & Buyable> void checkBuyer(T item, int user) {
    checkBidder(item, user);
    if (item.priceAtOnce().isEmpty()) {
      throw Refusal.notForSaleAtOnce(item.id());
    }
  }

  public static void checkPurchase(SaleItem item, Purchase purchase) {
    checkBuyer(item, purchase.buyer());
    checkQuantity(item, purchase.quantity());
  }

  /** Refuses that one user rates another one for an item. */
  public static void checkComment(SoldBy item, int from, int to) {
    if (item.seller() != to) {
      throw Refusal.wrongSeller(item.id(), to);
    }
    if (from == to) {
      throw Refusal.ownItem(item.id());
    }
  }

  private static void checkQuantity(Offered item, int wanted) {
    if (wanted < 1 || wanted > item.quantity()) {
      throw Refusal.wrongQuantity(item.id(), item.quantity());
    }
  }
}
