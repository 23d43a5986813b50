package tierbench.auction.data;

import java.time.LocalDateTime;

/** From when to when an auction goes. */
public record Period(LocalDateTime start, LocalDateTime end) {}
