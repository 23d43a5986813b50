package tierbench.bookstore.web;

import java.util.Optional;
import tierbench.bookstore.pages.State;
import tierbench.bookstore.rules.Refusal;
import tierbench.common.TokenKey;
import tierbench.common.web.Form;

/** What a request says of what a visitor has going on. */
record Given(Optional<Integer> customer, Optional<String> sealed) {
  private static final int LONGEST_SEALED = 80;

  static Given read(Form form) {
    return new Given(
        form.optional(State.CUSTOMER, form::id),
        form.optional(State.CART, name -> form.text(name, LONGEST_SEALED)));
  }

  /** The same, where there must be a cart. */
  static Given readWithCart(Form form) {
    return new Given(form.optional(State.CUSTOMER, form::id), Optional.of(sealedCart(form)));
  }

  /** The number of a cart as it travels, where there must be one. */
  static String sealedCart(Form form) {
    return form.text(State.CART, LONGEST_SEALED);
  }

  /** What is known of it. A cart that is forged or altered is refused. */
  State open(TokenKey key) {
    return new State(customer, sealed.map(text -> openCart(text, key)), sealed);
  }

  static int openCart(String sealed, TokenKey key) {
    return key.open(State.CART, sealed).orElseThrow(Refusal::wrongCart);
  }

  /** The state of somebody with this cart. */
  static State with(Optional<Integer> customer, int cart, TokenKey key) {
    return new State(customer, Optional.of(cart), Optional.of(key.seal(State.CART, cart)));
  }
}
