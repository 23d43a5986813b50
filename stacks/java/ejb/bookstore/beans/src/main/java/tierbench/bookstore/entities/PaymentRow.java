package tierbench.bookstore.entities;

import java.time.LocalDateTime;
import tierbench.bookstore.rules.Order;
import tierbench.common.Money;

/** A payment of an order, as a value object. */
public record PaymentRow(
    int orderId,
    String type,
    String number,
    String name,
    LocalDateTime expires,
    String authorization,
    Money amount,
    LocalDateTime date,
    int country) {
  /** The row of a payment that the bank has just authorised. */
  public static PaymentRow of(int orderId, Order order, String authorization, LocalDateTime now) {
    return new PaymentRow(
        orderId,
        order.card().type(),
        order.card().masked(),
        order.card().name(),
        order.card().expiry().atDay(1).atStartOfDay(),
        authorization,
        order.totals().total(),
        now,
        order.country());
  }
}
