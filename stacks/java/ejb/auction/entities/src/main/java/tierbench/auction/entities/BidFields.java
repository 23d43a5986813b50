package tierbench.auction.entities;

import java.time.LocalDateTime;
import tierbench.common.Money;

/** A bid, as far as who asks for its fields sees it. */
public interface BidFields {
  int id();

  int user();

  int item();

  int quantity();

  Money amount();

  Money most();

  LocalDateTime placed();
}
