package tierbench.auction.rules;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tierbench.common.Money;

/**
 * Proxy bidding: the auction bids for the leader, by as little as it takes and up to the most that
 * they would pay. This is what comes of one accepted offer: the bidder's own bid and, if the leader
 * stays ahead, the answer for them.
 */
public record Bidding(Bid own, Optional<Bid> answer) {

  public static Bidding settle(Bid offer, Optional<Leader> leader) {
    return leader
        .filter(other -> other.user() != offer.user())
        .map(other -> against(offer, other))
        .orElse(new Bidding(offer, Optional.empty()));
  }

  private static Bidding against(Bid offer, Leader leader) {
    if (leader.most().isLessThan(offer.most())) {
      Money enough = leader.most().plusOneCent().atMost(offer.most());
      return new Bidding(offer.at(offer.amount().atLeast(enough)), Optional.empty());
    }
    Money amount = offer.most().plusOneCent().atMost(leader.most());
    Bid answer = new Bid(leader.user(), offer.item(), amount, leader.most(), leader.quantity());
    return new Bidding(offer.at(offer.most()), Optional.of(answer));
  }

  /** The bid that leads from now on. */
  public Bid leading() {
    return answer.orElse(own);
  }

  /** All bids, in the order in which they are recorded. */
  public List<Bid> bids() {
    return Stream.concat(Stream.of(own), answer.stream()).toList();
  }
}
