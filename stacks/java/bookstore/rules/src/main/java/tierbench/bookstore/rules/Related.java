package tierbench.bookstore.rules;

import java.util.List;
import java.util.stream.Stream;

/** The books that go with another one. */
public final class Related {
  private Related() {}

  /**
   * What others have bought together with a book; where that is too few, those follow that went
   * with it before and aren't among them.
   */
  public static List<Integer> choose(List<Integer> boughtTogether, List<Integer> before) {
    return Stream.concat(boughtTogether.stream(), before.stream())
        .distinct()
        .limit(before.size())
        .toList();
  }

  /** The book that a number chooses of so many, as if by chance. */
  public static int scattered(int number, int items) {
    return (int) (number * 48_271L % items) + 1;
  }
}
