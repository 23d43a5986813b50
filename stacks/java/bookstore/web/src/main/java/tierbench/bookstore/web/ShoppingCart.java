package tierbench.bookstore.web;

import static tierbench.bookstore.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tierbench.bookstore.data.Books;
import tierbench.bookstore.data.Carts;
import tierbench.bookstore.pages.State;
import tierbench.bookstore.rules.CartBook;
import tierbench.bookstore.rules.CartChange;
import tierbench.bookstore.rules.CartWish;
import tierbench.bookstore.rules.KeptCart;
import tierbench.common.Fault;
import tierbench.common.data.Session;
import tierbench.common.web.Form;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/** Shows a cart, after it was changed. */
final class ShoppingCart implements Interaction {
  private static final Set<String> FLAGS = Set.of("Y", "N");

  @Override
  public JteModel answer(Visit visit) throws SQLException {
    Given given = Given.read(visit.form());
    CartWish wish = read(visit.form());
    State before = given.open(visit.tokenKey());
    Session session = visit.session();
    if (wish.added().isPresent()) {
      Books.check(session, wish.added().get());
    }
    int items = Books.count(session);
    KeptCart cart = Carts.change(session, before.cart(), wish, items);
    State state = Given.with(before.customer(), cart.id(), visit.tokenKey());
    List<CartBook> books = Carts.books(session, cart.id());
    return PAGES.shoppingCart(state, cart, books, Books.promoted(session, state.number(), items));
  }

  private static CartWish read(Form form) {
    boolean adds = "Y".equals(form.choice("ADD_FLAG", FLAGS));
    Optional<Integer> item = form.optional("I_ID", form::id);
    if (adds && item.isEmpty()) {
      throw Fault.parameter("I_ID");
    }
    Map<Integer, Integer> quantities = new HashMap<>();
    for (int line = 1; line <= CartChange.MOST_LINES; line++) {
      readLine(form, "I_ID_" + line, "QTY_" + line, quantities);
    }
    return new CartWish(quantities, item.filter(unused -> adds));
  }

  /** Of a book and its quantity both are there, or none. */
  private static void readLine(
      Form form, String item, String quantity, Map<Integer, Integer> quantities) {
    Optional<Integer> id = form.optional(item, form::id);
    Optional<Integer> number =
        form.optional(quantity, name -> form.whole(name, 0, CartChange.MOST_COPIES));
    if (id.isPresent() != number.isPresent()) {
      throw Fault.parameter(id.isPresent() ? quantity : item);
    }
    id.ifPresent(book -> quantities.put(book, number.get()));
  }
}
