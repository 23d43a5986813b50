package tierbench.bookstore.entities;

import tierbench.bookstore.rules.OrderLine;
import tierbench.bookstore.rules.OrderedBook;
import tierbench.common.Money;

/** A book of an order, as a value object. */
public record OrderLineRow(
    int id, int orderId, int book, int quantity, int discount, Money price, String comments) {
  public static OrderLineRow of(int id, int order, OrderLine line, int discount) {
    return new OrderLineRow(
        id, order, line.line().item(), line.quantity(), discount, line.price(), line.comments());
  }

  public OrderedBook called(String title) {
    return new OrderedBook(book, title, quantity, discount, price, comments);
  }
}
