package tierbench.bookstore.rules;

/** What there is of a book. */
public final class Stock {
  private static final int LEAST = 10;

  private static final int DELIVERY = 21;

  private Stock() {}

  /** What is left of a stock. Where that would be too little, deliveries come, again and again. */
  public static int without(int copies, int stock) {
    int left = stock - copies;
    while (left < LEAST) {
      left += DELIVERY;
    }
    return left;
  }
}
