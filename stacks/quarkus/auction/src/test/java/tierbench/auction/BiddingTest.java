package tierbench.auction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import tierbench.auction.Rows.Leader;

class BiddingTest {
  private static final int BIDDER = 1;
  private static final int LEADER = 2;

  @Test
  void theFirstBidLeads() {
    Bidding bidding = Bidding.settle(offer("5.00", "9.00"), null);
    assertTrue(bidding.leads());
    assertEquals(new BigDecimal("5.00"), bidding.price());
  }

  @Test
  void aHigherMostTakesTheLeadACentAboveTheOther() {
    Bidding bidding = Bidding.settle(offer("5.00", "9.00"), leader(LEADER, "7.00"));
    assertTrue(bidding.leads());
    assertEquals(new BigDecimal("7.01"), bidding.price());
  }

  @Test
  void theLeaderAnswersAndStaysAhead() {
    Bidding bidding = Bidding.settle(offer("5.00", "9.00"), leader(LEADER, "9.00"));
    assertFalse(bidding.leads());
    assertEquals(new BigDecimal("9.00"), bidding.own().bid());
    assertEquals(new BigDecimal("9.00"), bidding.price());
  }

  @Test
  void leadersDoNotOutbidThemselves() {
    Bidding bidding = Bidding.settle(offer("5.00", "9.00"), leader(BIDDER, "20.00"));
    assertTrue(bidding.leads());
    assertEquals(new BigDecimal("5.00"), bidding.price());
  }

  private static Bid offer(String bid, String most) {
    return new Bid(BIDDER, 3, 1, new BigDecimal(bid), new BigDecimal(most));
  }

  private static Leader leader(int user, String most) {
    return new Leader(user, 1, new BigDecimal(most));
  }
}
