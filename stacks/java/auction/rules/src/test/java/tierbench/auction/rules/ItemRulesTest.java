package tierbench.auction.rules;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import tierbench.common.Fault;
import tierbench.common.Money;

class ItemRulesTest {
  private static final int SELLER = 7;
  private static final BidItem OPEN =
      new BidItem(9, new Money(100), 2, Optional.of(new Money(150)), SELLER, true);

  private static Bid bid(int user, long amount, long most, int quantity) {
    return new Bid(user, 9, new Money(amount), new Money(most), quantity);
  }

  private static SaleItem sale(long buyNow, long highest) {
    return new SaleItem(
        9, new Money(100), 2, new Money(buyNow), Optional.of(new Money(highest)), SELLER, true);
  }

  private static void refuses(String message, Executable check) {
    Fault fault = assertThrows(Fault.class, check);
    assertEquals(409, fault.status());
    assertEquals(message, fault.getMessage());
  }

  @Test
  void aBidIsACentAboveTheHighestAndWithinItsMost() {
    assertDoesNotThrow(() -> ItemRules.checkBid(OPEN, bid(1, 151, 151, 2)));
    refuses("The bid must be at least 1.51.", () -> ItemRules.checkBid(OPEN, bid(1, 150, 999, 2)));
    refuses(
        "The most you would bid must not be less than your bid.",
        () -> ItemRules.checkBid(OPEN, bid(1, 200, 199, 2)));
  }

  @Test
  void theFirstBrokenRuleIsTheReason() {
    BidItem closed = new BidItem(9, OPEN.initialPrice(), 2, OPEN.highestBid(), SELLER, false);
    refuses("This auction is closed.", () -> ItemRules.checkBid(closed, bid(SELLER, 0, 0, 3)));
    refuses(
        "You can't bid on, buy or rate what you sell yourself.",
        () -> ItemRules.checkBid(OPEN, bid(SELLER, 0, 0, 3)));
    refuses("The quantity must be from 1 to 2.", () -> ItemRules.checkBid(OPEN, bid(1, 0, 0, 3)));
    refuses("The quantity must be from 1 to 2.", () -> ItemRules.checkBid(OPEN, bid(1, 0, 0, 0)));
  }

  @Test
  void anItemIsForSaleAtOnceUntilBidsReachThePrice() {
    Purchase purchase = new Purchase(1, 9, 2);
    assertDoesNotThrow(() -> ItemRules.checkPurchase(sale(151, 150), purchase));
    refuses(
        "This item can't be bought at once.",
        () -> ItemRules.checkPurchase(sale(150, 150), purchase));
    refuses(
        "This item can't be bought at once.",
        () -> ItemRules.checkPurchase(sale(0, 150), purchase));
  }

  @Test
  void onlySellersAreRatedAndNotByThemselves() {
    SoldBy item = new SoldBy(9, "x", SELLER);
    assertDoesNotThrow(() -> ItemRules.checkComment(item, 1, SELLER));
    refuses("User 8 does not sell item 9.", () -> ItemRules.checkComment(item, 8, 8));
    refuses(
        "You can't bid on, buy or rate what you sell yourself.",
        () -> ItemRules.checkComment(item, SELLER, SELLER));
  }
}
