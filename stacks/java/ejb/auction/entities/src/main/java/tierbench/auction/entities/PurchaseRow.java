package tierbench.auction.entities;

import java.time.LocalDateTime;

/** What was bought at once, as its entity hands it over. */
public record PurchaseRow(int id, int buyer, int item, int quantity, LocalDateTime bought)
    implements PurchaseFields {}
