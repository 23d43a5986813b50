package tierbench.auction.entities;

import java.time.LocalDateTime;

/** A purchase, as a value object. */
public record PurchaseRow(int id, int buyer, int item, int quantity, LocalDateTime bought)
    implements PurchaseFields {}
