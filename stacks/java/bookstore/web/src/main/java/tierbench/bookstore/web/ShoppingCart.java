package tierbench.bookstore.web;

import static tierbench.bookstore.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.sql.SQLException;
import java.util.List;
import tierbench.bookstore.data.Books;
import tierbench.bookstore.data.Carts;
import tierbench.bookstore.pages.State;
import tierbench.bookstore.rules.CartBook;
import tierbench.bookstore.rules.CartUpdate;
import tierbench.bookstore.rules.KeptCart;
import tierbench.common.data.Session;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/** Shows a cart, after it was changed. */
final class ShoppingCart implements Interaction {
  @Override
  public JteModel answer(Visit visit) throws SQLException {
    Given given = Given.read(visit.form());
    CartUpdate update = Inputs.cartWish(visit.form());
    State before = given.open(visit.tokenKey());
    Session session = visit.session();
    if (update.added().isPresent()) {
      Books.check(session, update.added().get());
    }
    int items = Books.count(session);
    KeptCart cart = Carts.change(session, before.cart(), update, items);
    State state = Given.with(before.customer(), cart.id(), visit.tokenKey());
    List<CartBook> books = Carts.books(session, cart.id());
    return PAGES.shoppingCart(state, cart, books, Books.promoted(session, state.number(), items));
  }
}
