package tierbench.auction.entities;

import java.time.LocalDateTime;

/** The database's time, as it is handed over. */
public record Now(LocalDateTime time) {}
