package tierbench.bookstore.entities;

import java.time.LocalDateTime;
import tierbench.bookstore.rules.Order;
import tierbench.bookstore.rules.PlacedOrder;
import tierbench.common.Money;

/** An order, as a value object. */
public record OrderRow(
    int id,
    int customer,
    LocalDateTime date,
    Money subTotal,
    Money tax,
    Money total,
    String shipType,
    LocalDateTime shipDate,
    int billAddress,
    int shipAddress,
    String status) {
  /** The row of a new order. */
  public static OrderRow of(int id, Order order, int shipAddress, LocalDateTime now) {
    return new OrderRow(
        id,
        order.buyer().id(),
        now,
        order.totals().subTotal(),
        order.totals().tax(),
        order.totals().total(),
        order.shipping().name(),
        now.plusDays(order.shipping().days()),
        order.buyer().address(),
        shipAddress,
        "PENDING");
  }

  public PlacedOrder paidBy(PaymentRow payment) {
    return new PlacedOrder(
        id,
        date,
        subTotal,
        tax,
        total,
        shipType,
        shipDate,
        billAddress,
        shipAddress,
        status,
        payment.type(),
        payment.number(),
        payment.name(),
        payment.authorization());
  }
}
