package tierbench.auction.entities;

import java.time.LocalDateTime;

/** What was bought at once, as far as who asks for its fields sees it. */
public interface PurchaseFields {
  int id();

  int buyer();

  int item();

  int quantity();

  LocalDateTime bought();
}
