package tierbench.bookstore.rules;

import java.util.List;
import java.util.Optional;

/**
 * What a update comes to in a cart.
 *
 * @param gone the lines that are taken out
 * @param changed the lines whose quantity is another, with the new one
 * @param added the book that comes in, with one copy
 * @param isEmptied whether nothing is in it then
 */
public record CartChange(
    List<CartLine> gone, List<CartLine> changed, Optional<Integer> added, boolean isEmptied) {
  /** How many different books a cart holds at most. */
  public static final int MOST_LINES = 10;

  /** How many copies of a book. */
  public static final int MOST_COPIES = 99;

  /** Refuses a book for which there is no room. */
  public static CartChange of(List<CartLine> lines, CartUpdate update) {
    List<CartLine> wanted = lines.stream().map(line -> wanted(line, update)).toList();
    List<CartLine> kept = wanted.stream().filter(line -> line.quantity() > 0).toList();
    Optional<Integer> added = update.added().filter(item -> !holds(kept, item));
    if (added.isPresent() && kept.size() == MOST_LINES) {
      throw Refusal.fullCart(MOST_LINES);
    }
    List<CartLine> grown = kept.stream().map(line -> grown(line, update)).toList();
    return new CartChange(
        wanted.stream().filter(line -> line.quantity() == 0).toList(),
        grown.stream().filter(line -> !lines.contains(line)).toList(),
        added,
        kept.isEmpty() && added.isEmpty());
  }

  private static boolean holds(List<CartLine> lines, int item) {
    return lines.stream().anyMatch(line -> line.item() == item);
  }

  private static CartLine wanted(CartLine line, CartUpdate update) {
    int quantity = update.quantities().getOrDefault(line.item(), line.quantity());
    return new CartLine(line.id(), line.item(), quantity);
  }

  /** One more copy, if it is the book that is added. */
  private static CartLine grown(CartLine line, CartUpdate update) {
    boolean isAdded = update.added().equals(Optional.of(line.item()));
    int quantity = isAdded ? Math.min(line.quantity() + 1, MOST_COPIES) : line.quantity();
    return new CartLine(line.id(), line.item(), quantity);
  }
}
