package tierbench.auction.entities;

import java.time.LocalDateTime;

/** The database's time, as a value object. */
public record Now(LocalDateTime time) {}
