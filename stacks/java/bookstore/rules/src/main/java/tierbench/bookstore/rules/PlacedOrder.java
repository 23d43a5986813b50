package tierbench.bookstore.rules;

import java.time.LocalDateTime;
import tierbench.common.Money;

/** An order that was placed, with how it was paid. */
public record PlacedOrder(
    int id,
    LocalDateTime date,
    Money subTotal,
    Money tax,
    Money total,
    String shipType,
    LocalDateTime shipDate,
    int billAddress,
    int shipAddress,
    String status,
    String cardType,
    String cardNumber,
    String cardName,
    String authorization) {
  public Money shipping() {
    return total.minus(tax).minus(subTotal);
  }
}
