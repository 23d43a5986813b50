package tierbench.auction.entities;

import java.time.LocalDateTime;
import tierbench.common.Money;

/** A bid, by its getters. */
public interface BidFields {
  int id();

  int user();

  int item();

  int quantity();

  Money amount();

  Money most();

  LocalDateTime placed();
}
