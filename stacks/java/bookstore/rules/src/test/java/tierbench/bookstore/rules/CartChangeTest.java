package tierbench.bookstore.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tierbench.common.Fault;

class CartChangeTest {
  private static final CartLine TWO = new CartLine(1, 7, 2);
  private static final CartLine MOST = new CartLine(2, 9, 99);

  private static CartChange change(
      List<CartLine> lines, Map<Integer, Integer> quantities, Optional<Integer> added) {
    return CartChange.of(lines, new CartUpdate(quantities, added));
  }

  @Test
  void quantitiesAreChangedAndNothingTakesABookOut() {
    CartChange change = change(List.of(TWO, MOST), Map.of(7, 5, 9, 0, 8, 1), Optional.empty());
    assertEquals(List.of(new CartLine(1, 7, 5)), change.changed());
    assertEquals(List.of(new CartLine(2, 9, 0)), change.gone());
    assertTrue(change.added().isEmpty() && !change.isEmptied());
  }

  @Test
  void aBookThatIsThereBecomesOneMoreUpToTheMost() {
    CartChange more = change(List.of(TWO, MOST), Map.of(7, 3), Optional.of(7));
    assertEquals(List.of(new CartLine(1, 7, 4)), more.changed());
    assertTrue(more.added().isEmpty());
    CartChange none = change(List.of(TWO, MOST), Map.of(), Optional.of(9));
    assertEquals(new CartChange(List.of(), List.of(), Optional.empty(), false), none);
  }

  @Test
  void aBookThatIsTakenOutAndAddedComesBackAsANewLine() {
    CartChange change = change(List.of(TWO), Map.of(7, 0), Optional.of(7));
    assertEquals(List.of(new CartLine(1, 7, 0)), change.gone());
    assertEquals(Optional.of(7), change.added());
    assertTrue(change.changed().isEmpty() && !change.isEmptied());
  }

  @Test
  void aCartIsEmptiedIfNothingIsLeftOrComes() {
    assertTrue(change(List.of(TWO), Map.of(7, 0), Optional.empty()).isEmptied());
    assertTrue(change(List.of(), Map.of(), Optional.empty()).isEmptied());
  }

  @Test
  void tenBooksAreTheMost() {
    List<CartLine> full =
        IntStream.rangeClosed(1, 10).mapToObj(id -> new CartLine(id, id, 1)).toList();
    Fault fault = assertThrows(Fault.class, () -> change(full, Map.of(), Optional.of(11)));
    assertEquals(409, fault.status());
    assertEquals("A cart holds at most 10 different books.", fault.getMessage());
    assertEquals(Optional.of(11), change(full, Map.of(3, 0), Optional.of(11)).added());
    assertEquals(
        List.of(new CartLine(10, 10, 2)), change(full, Map.of(), Optional.of(10)).changed());
  }
}
