package tierbench.auction.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tierbench.common.Money;

class BiddingTest {
  private static final int BIDDER = 1;
  private static final int LEADER = 2;

  private static Bid bid(int user, long amount, long most, int quantity) {
    return new Bid(user, 9, new Money(amount), new Money(most), quantity);
  }

  private static List<Bid> settle(Bid offer, int leader, long most) {
    return Bidding.settle(offer, Optional.of(new Leader(leader, new Money(most), 3))).bids();
  }

  @Test
  void theFirstBidAndTheLeadersOwnAreRecordedAsTheyAre() {
    Bid offer = bid(BIDDER, 100, 200, 1);
    assertEquals(List.of(offer), Bidding.settle(offer, Optional.empty()).bids());
    assertEquals(List.of(offer), settle(offer, BIDDER, 300));
  }

  @Test
  void whoBidsMoreLeadsByACentUpToTheirMost() {
    assertEquals(List.of(bid(BIDDER, 151, 200, 1)), settle(bid(BIDDER, 100, 200, 1), LEADER, 150));
    assertEquals(List.of(bid(BIDDER, 180, 200, 1)), settle(bid(BIDDER, 180, 200, 1), LEADER, 150));
    assertEquals(List.of(bid(BIDDER, 200, 200, 1)), settle(bid(BIDDER, 100, 200, 1), LEADER, 199));
  }

  @Test
  void theLeaderAnswersByACentUpToTheirMost() {
    assertEquals(
        List.of(bid(BIDDER, 200, 200, 1), bid(LEADER, 201, 250, 3)),
        settle(bid(BIDDER, 100, 200, 1), LEADER, 250));
    assertEquals(
        List.of(bid(BIDDER, 200, 200, 1), bid(LEADER, 200, 200, 3)),
        settle(bid(BIDDER, 100, 200, 1), LEADER, 200));
  }
}
