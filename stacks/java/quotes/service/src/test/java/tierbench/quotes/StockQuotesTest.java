package tierbench.quotes;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StockQuotesTest {
  private record Node(Node child) {}

  private static Node list(int nodes) {
    return nodes == 0 ? null : new Node(list(nodes - 1));
  }

  @Test
  void aQuoteFollowsFromItsSymbol() {
    Instant date = Instant.parse("2006-12-13T02:16:23Z");
    assertEquals(new Quote("IBM", 18_400, 441.69, date, -5.9, 4.63), StockQuotes.quote("IBM"));
  }

  @Test
  void aSymbolIsOneToFiveLetters() {
    for (String symbol : List.of("A", "ZZZZZ")) {
      assertEquals(symbol, StockQuotes.quote(symbol).symbol());
    }
    for (String symbol : List.of("", "ibm", "ABCDEF", "A B", "\u00c9", " IBM", "IBM\n")) {
      assertThrows(Refused.class, () -> StockQuotes.quote(symbol), symbol);
    }
    assertThrows(Refused.class, () -> StockQuotes.quote(null));
  }

  @Test
  void anArrayHasOneToAHundredStructuresWithNumbers() {
    for (int count : new int[] {1, 100}) {
      List<Double> right = Collections.nCopies(count, 0.5);
      assertDoesNotThrow(() -> StockQuotes.checkStructures(right, Double::doubleValue));
    }
    for (int count : new int[] {0, 101}) {
      List<Double> wrong = Collections.nCopies(count, 0.5);
      assertThrows(Refused.class, () -> StockQuotes.checkStructures(wrong, Double::doubleValue));
    }
    for (double number : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
      List<Double> wrong = List.of(0.5, number);
      assertThrows(Refused.class, () -> StockQuotes.checkStructures(wrong, Double::doubleValue));
    }
  }

  @Test
  void aListHasAtMostTenNodes() {
    assertDoesNotThrow(() -> StockQuotes.checkList(list(10), Node::child));
    assertThrows(Refused.class, () -> StockQuotes.checkList(list(11), Node::child));
  }
}
