package tierbench.common;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Pattern;

/** An amount of money, exact: whole cents, as a DECIMAL(…,2) holds it. */
public record Money(long cents) implements Comparable<Money> {
  private static final Pattern AMOUNT = Pattern.compile("[0-9]{1,10}(?:\\.[0-9]{1,2})?");

  /**
   * Reads {@code 12}, {@code 12.5} and {@code 12.50}, with at most ten digits before the full stop.
   */
  public static Optional<Money> parse(String text) {
    return AMOUNT.matcher(text).matches()
        ? Optional.of(of(new BigDecimal(text)))
        : Optional.empty();
  }

  /** The amount in a DECIMAL column. Only there may it be negative. */
  public static Money of(BigDecimal amount) {
    return new Money(amount.movePointRight(2).longValueExact());
  }

  public BigDecimal toDecimal() {
    return BigDecimal.valueOf(cents, 2);
  }

  public boolean isZero() {
    return cents == 0;
  }

  public boolean isLessThan(Money other) {
    return cents < other.cents;
  }

  public Money plus(Money other) {
    return new Money(cents + other.cents);
  }

  public Money minus(Money other) {
    return new Money(cents - other.cents);
  }

  public Money times(int number) {
    return new Money(cents * number);
  }

  /** So many of ten thousand parts of an amount that is not negative, rounded half up. */
  public Money parts(int ofTenThousand) {
    return new Money((cents * ofTenThousand + 5_000) / 10_000);
  }

  /** This amount, or the other one if it is less. */
  public Money atMost(Money other) {
    return new Money(Math.min(cents, other.cents));
  }

  /** This amount, or the other one if it is more. */
  public Money atLeast(Money other) {
    return new Money(Math.max(cents, other.cents));
  }

  public Money plusOneCent() {
    return new Money(cents + 1);
  }

  @Override
  public int compareTo(Money other) {
    return Long.compare(cents, other.cents);
  }

  @Override
  public String toString() {
    return toDecimal().toPlainString();
  }
}
