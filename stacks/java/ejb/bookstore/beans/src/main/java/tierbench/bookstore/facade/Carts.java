package tierbench.bookstore.facade;

import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import tierbench.bookstore.entities.BookRow;
import tierbench.bookstore.entities.CartLineRow;
import tierbench.bookstore.entities.CartRow;
import tierbench.bookstore.entities.Entities;
import tierbench.bookstore.rules.CartBook;
import tierbench.bookstore.rules.CartChange;
import tierbench.bookstore.rules.CartLine;
import tierbench.bookstore.rules.CartUpdate;
import tierbench.bookstore.rules.CheckoutBook;
import tierbench.bookstore.rules.KeptCart;
import tierbench.bookstore.rules.OrderLine;
import tierbench.bookstore.rules.Refusal;
import tierbench.bookstore.rules.Related;
import tierbench.common.Fault;
import tierbench.ejb.EntityHandle;

/** The carts with their lines, entity by entity. */
record Carts(Entities entities, JdbcQueries queries) {
  /** Refuses an unknown cart, or one that was ordered. */
  void check(int id) {
    checkOpen(there(entities.carts().byId().find(id), id).row());
  }

  private static <T> T there(Optional<T> cart, int id) {
    return cart.orElseThrow(() -> Fault.unknown("cart", id));
  }

  private static void checkOpen(CartRow cart) {
    cart.becameOrder()
        .ifPresent(
            order -> {
              throw Refusal.ordered(order);
            });
  }

  /** A cart that was not ordered, locked until the call ends. */
  EntityHandle<CartRow> lockOpen(int id) {
    EntityHandle<CartRow> cart = there(entities.carts().locked().find(id), id);
    checkOpen(cart.row());
    return cart;
  }

  List<EntityHandle<CartLineRow>> lines(int cart) {
    return entities.cartLines().ofCart().of(cart);
  }

  /** The books in a cart, as the checkout shows them, at the prices for everybody. */
  List<CheckoutBook> checkout(int id) {
    return books(
        rows(lines(id)),
        (line, book) -> new CheckoutBook(book.title(), book.price(), line.quantity()));
  }

  /** The books in a cart, as a customer with this discount orders them. */
  List<OrderLine> ordered(int id, int discount) {
    return books(
        rows(lines(id)),
        (line, book) -> OrderLine.reduced(line.line(), book.title(), book.price(), discount));
  }

  private static List<CartLineRow> rows(List<EntityHandle<CartLineRow>> lines) {
    return lines.stream().map(EntityHandle::row).toList();
  }

  private <T> List<T> books(List<CartLineRow> lines, BiFunction<CartLineRow, BookRow, T> shown) {
    return lines.stream()
        .map(line -> shown.apply(line, entities.books().byId().row(line.book())))
        .toList();
  }

  /** A cart after a change, with the books in it. */
  record Changed(KeptCart cart, List<CartBook> books) {}

  /**
   * Changes a cart, or a new one if there is none or it was ordered. Into a cart in which nothing
   * would be left a book is put that its number chooses of so many.
   */
  Changed change(Optional<Integer> id, CartUpdate update, int items) throws SQLException {
    Optional<EntityHandle<CartRow>> open =
        id.map(cart -> there(entities.carts().locked().find(cart), cart))
            .filter(cart -> cart.row().becameOrder().isEmpty());
    List<EntityHandle<CartLineRow>> kept =
        open.map(cart -> lines(cart.row().id())).orElse(List.of());
    CartChange change = CartChange.of(lines(kept), update);
    LocalDateTime now = queries.now();
    int cart = open.isPresent() ? touch(open.get(), now) : begin(now);
    List<CartLineRow> lines = new ArrayList<>();
    for (EntityHandle<CartLineRow> line : kept) {
      write(line, change).ifPresent(lines::add);
    }
    Optional<Integer> added =
        change.isEmptied() ? Optional.of(Related.scattered(cart, items)) : change.added();
    if (added.isPresent()) {
      lines.add(add(cart, added.get()));
    }
    return new Changed(
        new KeptCart(cart, open.isEmpty(), change.isEmptied()), books(lines, Carts::shown));
  }

  private static CartBook shown(CartLineRow line, BookRow book) {
    return new CartBook(
        book.cover(), book.price(), book.suggestedPrice(), book.binding(), line.quantity());
  }

  private static List<CartLine> lines(List<EntityHandle<CartLineRow>> lines) {
    return lines.stream().map(line -> line.row().line()).toList();
  }

  private static int touch(EntityHandle<CartRow> cart, LocalDateTime now) {
    CartRow row = cart.row();
    cart.change(new CartRow(row.id(), now, row.becameOrder()));
    return row.id();
  }

  private int begin(LocalDateTime now) throws SQLException {
    int id = queries.newId(Numbered.CARTS);
    entities.carts().newOnes().make(new CartRow(id, now, Optional.empty()));
    return id;
  }

  /** The quantity left in a line. */
  private static Optional<CartLineRow> write(EntityHandle<CartLineRow> line, CartChange change) {
    CartLineRow row = line.row();
    if (change.gone().stream().anyMatch(gone -> gone.id() == row.id())) {
      line.remove();
      return Optional.empty();
    }
    Optional<CartLineRow> changed =
        change.changed().stream()
            .filter(other -> other.id() == row.id())
            .findFirst()
            .map(other -> row.of(other.quantity()));
    changed.ifPresent(line::change);
    return changed.or(() -> Optional.of(row));
  }

  private CartLineRow add(int cart, int book) throws SQLException {
    CartLineRow line = new CartLineRow(queries.newId(Numbered.CART_LINES), cart, book, 1);
    entities.cartLines().newOnes().make(line);
    return line;
  }
}
