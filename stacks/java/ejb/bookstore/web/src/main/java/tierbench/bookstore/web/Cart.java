package tierbench.bookstore.web;

import static tierbench.bookstore.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import tierbench.bookstore.ejb.Asked;
import tierbench.bookstore.ejb.Interactions;
import tierbench.bookstore.ejb.Told;
import tierbench.bookstore.pages.State;
import tierbench.bookstore.rules.CartUpdate;
import tierbench.common.web.Visit;
import tierbench.ejb.Beans;
import tierbench.ejb.Parcel;

/** Shows a cart, after it was changed. */
record Cart(Beans<Interactions> beans) {
  JteModel shoppingCart(Visit visit) {
    Given given = Given.read(visit.form());
    CartUpdate update = Inputs.cartWish(visit.form());
    State before = given.open(visit.tokenKey());
    Asked.Visitor visitor = new Asked.Visitor(before.customer(), before.cart());
    Told.Cart told =
        beans
            .ask(bookstore -> bookstore.shoppingCart(new Parcel<>(visitor), new Parcel<>(update)))
            .content();
    State state = Given.with(before.customer(), told.kept().id(), visit.tokenKey());
    return PAGES.shoppingCart(state, told.kept(), told.books(), told.promoted());
  }
}
