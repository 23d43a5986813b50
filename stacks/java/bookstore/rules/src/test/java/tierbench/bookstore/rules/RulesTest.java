package tierbench.bookstore.rules;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.LocalDate;
import java.time.YearMonth;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tierbench.common.Fault;
import tierbench.common.Money;

class RulesTest {
  private static final CartLine LINE = new CartLine(1, 7, 3);
  private static final Card CARD =
      new Card("VISA", "4111111111111111", "Ada", YearMonth.of(2030, 12));

  @Test
  void anOrderCostsItsCopiesWithTaxAndShipping() {
    List<CheckoutBook> lines =
        List.of(
            new CheckoutBook("a", new Money(1_001), 2).reduced(50),
            new CheckoutBook("b", new Money(99), 1).reduced(0));
    assertEquals(new Money(501), lines.get(0).price(), "half a cent is rounded up");
    Totals totals = Totals.of(lines);
    assertEquals(
        new Totals(new Money(1_101), new Money(91), new Money(500), new Money(1_692)), totals);
  }

  @Test
  void deliveriesComeUntilThereIsEnough() {
    assertEquals(10, Stock.without(5, 15));
    assertEquals(30, Stock.without(6, 15));
    assertEquals(12, Stock.without(99, 27));
  }

  @Test
  void whatWentWithABookBeforeFollows() {
    assertEquals(List.of(9, 3, 1, 2, 4), Related.choose(List.of(9, 3), List.of(1, 2, 3, 4, 5)));
    assertEquals(
        List.of(9, 8, 7, 6, 5), Related.choose(List.of(9, 8, 7, 6, 5), List.of(1, 2, 3, 4, 5)));
  }

  @Test
  void aNumberChoosesABook() {
    assertEquals(1, Related.scattered(0, 1_000));
    assertEquals(272, Related.scattered(1, 1_000));
    assertEquals(48_271L * 999_999_999 % 1_000 + 1, Related.scattered(999_999_999, 1_000));
  }

  @Test
  void picturesAreInTheFolderOfTheirNumber() {
    assertTrue(Picture.IMAGE.isPath("images/7/image_107.png"));
    assertTrue(Picture.THUMBNAIL.isPath("images/0/thumb_100.png"));
    List<String> wrong =
        List.of(
            "images/7/image_108.png",
            "images/07/image_107.png",
            "images/7/image_0107.png",
            "images/7/thumb_107.png",
            "images/0/image_0.png",
            "../images/7/image_107.png",
            "images/7/image_107.jpg",
            "images/7/image_107.png\n",
            "images/7/image_1000000007.png");
    wrong.forEach(path -> assertFalse(Picture.IMAGE.isPath(path), path));
    assertTrue(Picture.isPathOfAny("images/7/thumb_107.png"));
  }

  @Test
  void pricesAreFromACentToTheSuggestedOne() {
    assertDoesNotThrow(() -> change(500).check(new Money(500)));
    assertDoesNotThrow(() -> change(1).check(new Money(500)));
    for (long wrong : new long[] {0, 501}) {
      Fault fault = assertThrows(Fault.class, () -> change(wrong).check(new Money(500)));
      assertEquals("The price must be from 0.01 to 5.00.", fault.getMessage());
    }
  }

  private static BookChange change(long price) {
    return new BookChange(7, new Money(price), "", "");
  }

  @Test
  void cardsAreHiddenButForTheirLastDigits() {
    assertEquals("************1111", CARD.masked());
    assertFalse(CARD.toString().contains(CARD.number()));
  }

  @Test
  void theDiscountComesFromTheUserName() {
    NewAddress address = new NewAddress("1", "", "c", "s", "z", 1);
    NewCustomer ada =
        new NewCustomer("ada", "", "Ada", "L", address, "1", "a@b", LocalDate.of(1980, 2, 29), "x");
    assertEquals((97 + 100 + 97) % 51, ada.discount());
  }

  @Test
  void onlyWhatWasAuthorisedIsOrdered() {
    OrderLine line = OrderLine.reduced(LINE, "A & B", new Money(200), 25);
    assertEquals(new Money(150), line.price());
    assertEquals("3 of A & B", line.comments());
    Order order =
        new Order(
            new Buyer(1, 25, 2, 3),
            4,
            List.of(line),
            Totals.of(List.of(line)),
            CARD,
            Shipping.AIR,
            Optional.empty());
    assertEquals(3, order.country());
    assertDoesNotThrow(() -> order.checkUnchanged(List.of(LINE)));
    List<List<CartLine>> others =
        List.of(
            List.of(),
            List.of(new CartLine(1, 7, 4)),
            List.of(new CartLine(2, 7, 3)),
            List.of(LINE, new CartLine(2, 8, 1)));
    others.forEach(
        lines -> assertThrows(Fault.class, () -> order.checkUnchanged(lines), lines::toString));
  }
}
