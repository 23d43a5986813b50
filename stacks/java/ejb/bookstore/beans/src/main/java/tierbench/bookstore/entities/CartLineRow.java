package tierbench.bookstore.entities;

import tierbench.bookstore.rules.CartLine;

/** A book in a cart, as a value object. */
public record CartLineRow(int id, int cart, int book, int quantity) {
  public CartLine line() {
    return new CartLine(id, book, quantity);
  }

  /** The row with another number of copies. */
  public CartLineRow of(int copies) {
    return new CartLineRow(id, cart, book, copies);
  }
}
