package tierbench.auction;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import tierbench.auction.Rows.Biddable;
import tierbench.auction.Rows.Sale;
import tierbench.common.Refusal;

/** What changes an item. The item stays locked until the transaction ends. */
@Service
@Transactional
class Trading {
  private final Store store;

  Trading(Store store) {
    this.store = store;
  }

  record Placed(int id, Bidding bidding) {}

  Placed bid(Bid offer) {
    Biddable item =
        store.lockForBid(offer.item()).orElseThrow(() -> Refusal.unknown("item", offer.item()));
    Rules.checkBid(item, offer);
    Bidding bidding = Bidding.settle(offer, store.leader(offer.item()).orElse(null));
    int id = store.addBid(bidding.own());
    if (!bidding.leads()) {
      store.addBid(bidding.answer());
    }
    store.raise(offer.item(), bidding.leads() ? 1 : 2, bidding.price());
    return new Placed(id, bidding);
  }

  record Bought(int id, Sale item) {}

  Bought buy(int buyer, int id, int qty) {
    Sale item = store.lockForPurchase(id).orElseThrow(() -> Refusal.unknown("item", id));
    Rules.checkPurchase(id, item, buyer, qty);
    int purchase = store.addPurchase(buyer, id, qty);
    if (qty < item.quantity()) {
      store.take(id, qty);
    } else {
      store.close(id, purchase);
    }
    return new Bought(purchase, item);
  }
}
