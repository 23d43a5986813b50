package tierbench.bookstore.facade;

import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import tierbench.bookstore.entities.CartLineRow;
import tierbench.bookstore.entities.CartRow;
import tierbench.bookstore.entities.Entities;
import tierbench.bookstore.entities.OrderLineRow;
import tierbench.bookstore.entities.OrderRow;
import tierbench.bookstore.entities.PaymentRow;
import tierbench.bookstore.rules.CartLine;
import tierbench.bookstore.rules.LastOrder;
import tierbench.bookstore.rules.Order;
import tierbench.bookstore.rules.OrderLine;
import tierbench.bookstore.rules.OrderedBook;
import tierbench.ejb.EntityHandle;

/** The orders, entity by entity. */
record Orders(
    Entities entities, JdbcQueries queries, Carts carts, Addresses addresses, Books books) {
  /** The last order of a customer, if there is one. */
  Optional<LastOrder> last(int customer) throws SQLException {
    return queries.lastOrder(customer).map(entities.orders().byId()::row).map(this::shown);
  }

  private LastOrder shown(OrderRow order) {
    return new LastOrder(
        order.paidBy(entities.payments().ofOrder().row(order.id())),
        addresses.find(order.billAddress()),
        addresses.find(order.shipAddress()),
        entities.orderLines().ofOrder().of(order.id()).stream().map(this::shown).toList());
  }

  private OrderedBook shown(OrderLineRow line) {
    return line.called(entities.books().byId().row(line.book()).title());
  }

  /**
   * Records an order for which the bank has authorised the payment, and returns its id. Its cart is
   * locked first, and its books last and by their ids, because many want these rows.
   */
  int place(Order order, String authorization) throws SQLException {
    EntityHandle<CartRow> cart = carts.lockOpen(order.cart());
    List<EntityHandle<CartLineRow>> lines = carts.lines(order.cart());
    order.checkUnchanged(lines.stream().map(line -> line.row().line()).toList());
    LocalDateTime now = queries.now();
    int id = make(order, authorization, now);
    lines.forEach(EntityHandle::remove);
    cart.change(new CartRow(order.cart(), now, Optional.of(id)));
    order.lines().stream()
        .map(OrderLine::line)
        .sorted(Comparator.comparingInt(CartLine::item))
        .forEach(line -> books.sell(line.item(), line.quantity()));
    return id;
  }

  private int make(Order order, String authorization, LocalDateTime now) throws SQLException {
    int address =
        order.elsewhere().isPresent()
            ? addresses.findOrMake(order.elsewhere().get()).id()
            : order.buyer().address();
    int id = queries.newId(Numbered.ORDERS);
    entities.orders().newOnes().make(OrderRow.of(id, order, address, now));
    int next = queries.newIds(Numbered.ORDER_LINES, order.lines().size());
    for (OrderLine line : order.lines()) {
      entities
          .orderLines()
          .newOnes()
          .make(OrderLineRow.of(next++, id, line, order.buyer().discount()));
    }
    entities.payments().newOnes().make(PaymentRow.of(id, order, authorization, now));
    return id;
  }
}
