package tierbench.bookstore.facade;

/** The tables whose rows get numbers from counters of the database. */
enum Numbered {
  ADDRESSES("address", "addr_id"),
  CARTS("shopping_cart", "sc_id"),
  CART_LINES("shopping_cart_line", "scl_id"),
  CUSTOMERS("customer", "c_id"),
  ORDERS("orders", "o_id"),
  ORDER_LINES("order_line", "ol_id");

  private final String table;
  private final String id;

  Numbered(String table, String id) {
    this.table = table;
    this.id = id;
  }

  String table() {
    return table;
  }

  /** The column with the numbers. */
  String id() {
    return id;
  }
}
