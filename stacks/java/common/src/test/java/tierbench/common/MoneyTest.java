package tierbench.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MoneyTest {
  @Test
  void readsWhatPeopleWriteAndNothingElse() {
    assertEquals(Optional.of(new Money(1200)), Money.parse("12"));
    assertEquals(Optional.of(new Money(1250)), Money.parse("12.5"));
    assertEquals(Optional.of(new Money(1205)), Money.parse("0012.05"));
    assertEquals(Optional.of(new Money(999_999_999_999L)), Money.parse("9999999999.99"));
    for (String wrong :
        List.of(
            "", ".5", "1.", "1.234", "-1", "+1", "1,5", "1e3", " 1", "1\n", "١", "10000000000")) {
      assertTrue(Money.parse(wrong).isEmpty(), wrong);
    }
  }

  @Test
  void writesTwoDigitsAlsoOfDebts() {
    assertEquals("0.00", new Money(0).toString());
    assertEquals("0.07", new Money(7).toString());
    assertEquals("-1234.50", Money.of(new BigDecimal("-1234.50")).toString());
  }

  @Test
  void calculatesInWholeCents() {
    assertEquals(new Money(450), new Money(150).times(3));
    assertEquals(new Money(151), new Money(150).plus(new Money(1)));
    assertEquals(new Money(149), new Money(150).minus(new Money(1)));
    assertEquals(new Money(2), new Money(3).parts(5_000), "half a cent is rounded up");
    assertEquals(new Money(1), new Money(3).parts(4_999));
  }

  @Test
  void comparesByAmount() {
    Money less = new Money(1);
    Money more = less.plusOneCent();
    assertTrue(less.isLessThan(more));
    assertEquals(less, less.atMost(more));
    assertEquals(less, more.atMost(less));
    assertEquals(more, less.atLeast(more));
  }
}
