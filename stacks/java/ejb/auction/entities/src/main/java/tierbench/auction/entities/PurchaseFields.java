package tierbench.auction.entities;

import java.time.LocalDateTime;

/** A purchase, by its getters. */
public interface PurchaseFields {
  int id();

  int buyer();

  int item();

  int quantity();

  LocalDateTime bought();
}
