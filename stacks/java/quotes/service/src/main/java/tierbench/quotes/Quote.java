package tierbench.quotes;

import java.time.Instant;

/** What is known of a stock. */
public record Quote(
    String symbol, int volume, double price, Instant date, double dollar, double percent) {}
