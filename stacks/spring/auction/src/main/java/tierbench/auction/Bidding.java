package tierbench.auction;

import static tierbench.auction.Rows.CENT;

import java.math.BigDecimal;
import tierbench.auction.Rows.Leader;

/**
 * Proxy bidding: the bidder's own bid, and the answer for the leader if they stay ahead, or else
 * null.
 */
public record Bidding(Bid own, Bid answer) {
  static Bidding settle(Bid offer, Leader leader) {
    if (leader == null || leader.userId() == offer.user()) {
      return new Bidding(offer, null);
    }
    if (leader.maxBid().compareTo(offer.maxBid()) < 0) {
      BigDecimal enough = leader.maxBid().add(CENT).min(offer.maxBid());
      return new Bidding(offer.at(offer.bid().max(enough)), null);
    }
    BigDecimal price = offer.maxBid().add(CENT).min(leader.maxBid());
    Bid answer = new Bid(leader.userId(), offer.item(), leader.qty(), price, leader.maxBid());
    return new Bidding(offer.at(offer.maxBid()), answer);
  }

  public boolean leads() {
    return answer == null;
  }

  public BigDecimal price() {
    return leads() ? own.bid() : answer.bid();
  }
}
