package tierbench.bookstore.web;

import static tierbench.bookstore.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import tierbench.bookstore.ejb.Asked;
import tierbench.bookstore.ejb.Interactions;
import tierbench.bookstore.ejb.Told;
import tierbench.bookstore.pages.State;
import tierbench.bookstore.payment.PaymentGateway;
import tierbench.bookstore.rules.Card;
import tierbench.bookstore.rules.NewAddress;
import tierbench.bookstore.rules.NewCustomer;
import tierbench.bookstore.rules.Order;
import tierbench.bookstore.rules.Refusal;
import tierbench.bookstore.rules.Shipping;
import tierbench.bookstore.rules.Totals;
import tierbench.common.Password;
import tierbench.common.web.Form;
import tierbench.common.web.Visit;
import tierbench.ejb.Beans;
import tierbench.ejb.Parcel;

/** The way from a cart to an order, and back to the last one. */
record Buying(Beans<Interactions> beans, PaymentGateway bank) {
  private static final Set<String> FLAGS = Set.of("N", "Y");

  /** Before a cart is ordered, the form to log in, or the one to register. */
  JteModel customerRegistration(Visit visit) {
    Form form = visit.form();
    Given given = Given.readWithCart(form);
    Optional<Boolean> returns = form.optional("RETURNING_FLAG", name -> returns(form));
    State state = given.open(visit.tokenKey());
    return returns.orElse(state.customer().isPresent())
        ? PAGES.logIn(state)
        : PAGES.register(state, beans.ask(Interactions::customerRegistration).content().all());
  }

  /** Whether somebody is a customer already. */
  private static boolean returns(Form form) {
    return "Y".equals(form.choice("RETURNING_FLAG", FLAGS));
  }

  /** A customer logs in or registers, and sees what the cart comes to. */
  JteModel buyRequest(Visit visit) {
    String sealed = Given.sealedCart(visit.form());
    if (returns(visit.form())) {
      Credentials who = Credentials.read(visit.form());
      int cart = Given.openCart(sealed, visit.tokenKey());
      Told.Checkout told =
          beans.ask(bookstore -> bookstore.logInToBuy(who.uname(), who.password(), cart)).content();
      return checkout(visit, cart, told, OptionalInt.empty());
    }
    NewCustomer customer = newCustomer(visit.form());
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

  private static NewCustomer newCustomer(Form form) {
    String uname = form.nickname("NEW_UNAME", 20);
    return new NewCustomer(
        uname,
        Password.hash(uname, form.text("NEW_PASSWD", 20)),
        form.text("FNAME", 17),
        form.text("LNAME", 17),
        Inputs.address(form),
        form.text("PHONE", 16),
        form.email("EMAIL", 50),
        Inputs.date(form, "BIRTHDATE"),
        form.text("DATA", 500));
  }

  /**
   * Orders a cart, once the bank has authorised the payment. It is asked here, between two calls,
   * and so in no transaction: while it is asked, nothing is locked and no connection is kept. Of
   * the card, beans are told only what they keep.
   */
  JteModel buyConfirm(Visit visit) {
    Confirmation confirmation = read(visit);
    Order order = order(confirmation);
    String authorization =
        bank.authorize(order.cart(), confirmation.card(), order.totals().total());
    int id = beans.ask(bookstore -> bookstore.buyConfirm(new Parcel<>(order), authorization));
    State state =
        new State(Optional.of(confirmation.customer()), Optional.empty(), Optional.empty());
    return PAGES.buyConfirm(state, id, order, authorization);
  }

  /** What a customer says to an order. */
  private record Confirmation(
      int customer, int cart, Card card, Shipping shipping, Optional<NewAddress> elsewhere) {}

  private static Confirmation read(Visit visit) {
    Form form = visit.form();
    String token = form.text("token", 100);
    String sealed = Given.sealedCart(form);
    Card card = Inputs.card(form);
    Shipping shipping = Inputs.shipping(form);
    Optional<NewAddress> elsewhere = form.optional("STREET_1", name -> Inputs.address(form));
    int customer = visit.tokenKey().verify(token).orElseThrow(Refusal::wrongToken);
    int cart = Given.openCart(sealed, visit.tokenKey());
    return new Confirmation(customer, cart, card, shipping, elsewhere);
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
    return new Order(
        told.buyer(),
        confirmation.cart(),
        told.lines(),
        Totals.of(told.lines()),
        masked(confirmation.card()),
        confirmation.shipping(),
        confirmation.elsewhere());
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
