package tierbench.bookstore.web;

import static tierbench.bookstore.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.util.Optional;
import java.util.OptionalInt;
import tierbench.bookstore.ejb.Asked;
import tierbench.bookstore.ejb.Interactions;
import tierbench.bookstore.ejb.Told;
import tierbench.bookstore.pages.State;
import tierbench.bookstore.payment.PaymentGateway;
import tierbench.bookstore.rules.Card;
import tierbench.bookstore.rules.NewCustomer;
import tierbench.bookstore.rules.Order;
import tierbench.common.web.Form;
import tierbench.common.web.Visit;
import tierbench.ejb.Beans;
import tierbench.ejb.Parcel;

/** The way from a cart to an order, and back to the last one. */
record Buying(Beans<Interactions> beans, PaymentGateway bank) {
  /** Before a cart is ordered, the form to log in, or the one to register. */
  JteModel customerRegistration(Visit visit) {
    Form form = visit.form();
    Given given = Given.readWithCart(form);
    Optional<Boolean> returns = form.optional("RETURNING_FLAG", name -> Inputs.flag(form, name));
    State state = given.open(visit.tokenKey());
    return returns.orElse(state.customer().isPresent())
        ? PAGES.logIn(state)
        : PAGES.register(state, beans.ask(Interactions::customerRegistration).content().all());
  }

  /** A customer logs in or registers, and sees what the cart comes to. */
  JteModel buyRequest(Visit visit) {
    String sealed = Given.sealedCart(visit.form());
    if (Inputs.flag(visit.form(), "RETURNING_FLAG")) {
      Credentials who = Credentials.read(visit.form());
      int cart = Given.openCart(sealed, visit.tokenKey());
      Told.Checkout told =
          beans.ask(bookstore -> bookstore.logInToBuy(who.uname(), who.password(), cart)).content();
      return checkout(visit, cart, told, OptionalInt.empty());
    }
    NewCustomer customer = Inputs.newCustomer(visit.form());
    int cart = Given.openCart(sealed, visit.tokenKey());
    Told.Checkout told =
        beans.ask(bookstore -> bookstore.registerToBuy(new Parcel<>(customer), cart)).content();
    return checkout(visit, cart, told, OptionalInt.of(told.id()));
  }

  private static JteModel checkout(
      Visit visit, int cart, Told.Checkout told, OptionalInt registered) {
    return PAGES.buyRequest(
        Given.with(Optional.of(told.id()), cart, visit.tokenKey()),
        told.customer(),
        registered,
        told.books(),
        told.countries(),
        visit.tokenKey().sign(told.id()));
  }

  /**
   * Orders a cart, once the bank has authorised the payment. It is asked here, between two calls,
   * and so in no transaction: while it is asked, nothing is locked and no connection is kept. Of
   * the card, beans are told only what they keep.
   */
  JteModel buyConfirm(Visit visit) {
    Confirmation confirmation = Confirmation.read(visit);
    Order order = order(confirmation);
    String authorization =
        bank.authorize(order.cart(), confirmation.card(), order.totals().total());
    int id = beans.ask(bookstore -> bookstore.buyConfirm(new Parcel<>(order), authorization));
    State state =
        new State(Optional.of(confirmation.customer()), Optional.empty(), Optional.empty());
    return PAGES.buyConfirm(state, id, order, authorization);
  }

  private Order order(Confirmation confirmation) {
    Asked.Elsewhere elsewhere = new Asked.Elsewhere(confirmation.elsewhere());
    Told.ToOrder told =
        beans
            .ask(
                bookstore ->
                    bookstore.toOrder(
                        confirmation.customer(), confirmation.cart(), new Parcel<>(elsewhere)))
            .content();
    return confirmation.order(told.buyer(), told.lines(), masked(confirmation.card()));
  }

  private static Card masked(Card card) {
    return new Card(card.type(), card.masked(), card.name(), card.expiry());
  }

  /** Logs a customer in and shows their last order. */
  JteModel orderDisplay(Visit visit) {
    Given given = Given.read(visit.form());
    Credentials who = Credentials.read(visit.form());
    State before = given.open(visit.tokenKey());
    Told.Last told =
        beans.ask(bookstore -> bookstore.orderDisplay(who.uname(), who.password())).content();
    State state = new State(Optional.of(told.customer()), before.cart(), before.sealed());
    return told.order().isPresent()
        ? PAGES.orderDisplay(state, told.order().get())
        : PAGES.noOrder(state);
  }
}
