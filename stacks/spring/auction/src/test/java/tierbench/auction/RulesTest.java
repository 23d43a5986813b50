package tierbench.auction;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import tierbench.auction.Rows.Biddable;
import tierbench.auction.Rows.Leader;
import tierbench.auction.Rows.Sale;
import tierbench.common.Refusal;

class RulesTest {
  private static final int ITEM = 7;
  private static final int SELLER = 1;
  private static final int BIDDER = 2;

  @Test
  void aBidMustBeACentAboveTheHighest() {
    assertEquals(
        "The bid must be at least 5.01.", refusal(item("5.00", true), offer(BIDDER, 1, "5.00")));
    assertDoesNotThrow(() -> Rules.checkBid(item("5.00", true), offer(BIDDER, 1, "5.01")));
  }

  @Test
  void theFirstBidMayBeTheFirstPrice() {
    assertEquals(
        "The bid must be at least 3.00.", refusal(item(null, true), offer(BIDDER, 1, "2.99")));
    assertDoesNotThrow(() -> Rules.checkBid(item(null, true), offer(BIDDER, 1, "3.00")));
  }

  @Test
  void aClosedAuctionIsNamedBeforeAllElse() {
    assertEquals("This auction is closed.", refusal(item(null, false), offer(SELLER, 9, "0.01")));
  }

  @Test
  void sellersDoNotBidOnTheirOwnItems() {
    assertEquals(
        "You can't bid on, buy or rate what you sell yourself.",
        refusal(item(null, true), offer(SELLER, 1, "3.00")));
  }

  @Test
  void nobodyGetsMoreThanThereIs() {
    assertEquals(
        "The quantity must be from 1 to 2.", refusal(item(null, true), offer(BIDDER, 3, "3.00")));
  }

  @Test
  void aPriceToBuyAtOnceEndsWhenBidsReachIt() {
    assertEquals(new BigDecimal("9.00"), sale("8.99").atOnce());
    assertNull(sale("9.00").atOnce());
  }

  @Test
  void theLeaderIsOutbidByACentAtMost() {
    Bid offer = new Bid(BIDDER, ITEM, 1, new BigDecimal("5.00"), new BigDecimal("9.00"));
    assertEquals(new BigDecimal("7.01"), Bidding.settle(offer, leader("7.00")).price());
    assertEquals(new BigDecimal("9.01"), Bidding.settle(offer, leader("20.00")).price());
  }

  private static Biddable item(String highest, boolean open) {
    BigDecimal maxBid = highest == null ? null : new BigDecimal(highest);
    return new Biddable(new BigDecimal("3.00"), 2, maxBid, SELLER, open);
  }

  private static Sale sale(String highest) {
    return new Sale(
        new BigDecimal("3.00"), 2, new BigDecimal("9.00"), new BigDecimal(highest), SELLER, true);
  }

  private static Bid offer(int user, int qty, String bid) {
    return new Bid(user, ITEM, qty, new BigDecimal(bid), new BigDecimal("50.00"));
  }

  private static Leader leader(String most) {
    return new Leader(3, 1, new BigDecimal(most));
  }

  private static String refusal(Biddable item, Bid offer) {
    return assertThrows(Refusal.class, () -> Rules.checkBid(item, offer)).getMessage();
  }
}
