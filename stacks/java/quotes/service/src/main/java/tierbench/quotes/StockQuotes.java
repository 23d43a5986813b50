package tierbench.quotes;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * The operations of the description. Each SOAP engine has classes of its own for what travels, so
 * that whatever is echoed is told by how its values are read.
 */
public final class StockQuotes {
  private static final Pattern SYMBOL = Pattern.compile("[A-Z]{1,5}");
  private static final int MOST_STRUCTURES = 100;
  private static final int MOST_NODES = 10;

  private static final Instant DAY = Instant.parse("2006-12-13T00:00:00Z");
  private static final long SECONDS_OF_A_DAY = 86_400;

  private StockQuotes() {}

  /** The quote of a symbol. */
  public static Quote quote(String symbol) {
    if (symbol == null || !SYMBOL.matcher(symbol).matches()) {
      throw new Refused("there is no such symbol");
    }
    CRC32 sum = new CRC32();
    sum.update(symbol.getBytes(StandardCharsets.US_ASCII));
    long n = sum.getValue();
    return new Quote(
        symbol,
        (int) (n % 1_000 + 1) * 100,
        hundredths(n / 1_000 % 100_000 + 1),
        DAY.plusSeconds(n % SECONDS_OF_A_DAY),
        hundredths(n % 2_001 - 1_000),
        hundredths(n / 2_001 % 2_001 - 1_000));
  }

  private static double hundredths(long number) {
    return number / 100.0;
  }

  /** Refuses an array that is not to be echoed; how the number in a structure is read is told. */
  public static <S> void checkStructures(List<S> structures, ToDoubleFunction<S> number) {
    if (structures.isEmpty() || structures.size() > MOST_STRUCTURES) {
      throw new Refused("an array has 1 to 100 structures");
    }
    for (S structure : structures) {
      if (!Double.isFinite(number.applyAsDouble(structure))) {
        throw new Refused("varFloat is no number");
      }
    }
  }

  /** Refuses a list that is not to be echoed; how a node's child, or null, is read is told. */
  public static <N> void checkList(N list, UnaryOperator<N> child) {
    int nodes = 0;
    for (N node = list; node != null; node = child.apply(node)) {
      nodes++;
      if (nodes > MOST_NODES) {
        throw new Refused("a list has 1 to 10 nodes");
      }
    }
  }
}
