package tierbench.bookstore.web;

import static tierbench.bookstore.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tierbench.bookstore.ejb.Asked;
import tierbench.bookstore.ejb.Interactions;
import tierbench.bookstore.ejb.Told;
import tierbench.bookstore.pages.State;
import tierbench.bookstore.rules.CartChange;
import tierbench.bookstore.rules.CartWish;
import tierbench.common.Fault;
import tierbench.common.web.Form;
import tierbench.common.web.Visit;
import tierbench.ejb.Beans;
import tierbench.ejb.Parcel;

/** Shows a cart, after it was changed. */
record Cart(Beans<Interactions> beans) {
  private static final Set<String> FLAGS = Set.of("Y", "N");

  JteModel shoppingCart(Visit visit) {
    Given given = Given.read(visit.form());
    CartWish wish = read(visit.form());
    State before = given.open(visit.tokenKey());
    Asked.Visitor visitor = new Asked.Visitor(before.customer(), before.cart());
    Told.Cart told =
        beans
            .ask(bookstore -> bookstore.shoppingCart(new Parcel<>(visitor), new Parcel<>(wish)))
            .content();
    State state = Given.with(before.customer(), told.kept().id(), visit.tokenKey());
    return PAGES.shoppingCart(state, told.kept(), told.books(), told.promoted());
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
