package tierbench.bookstore.web;

import static tierbench.bookstore.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import tierbench.bookstore.ejb.Interactions;
import tierbench.bookstore.ejb.Told;
import tierbench.bookstore.pages.State;
import tierbench.bookstore.rules.BookChange;
import tierbench.common.web.Visit;
import tierbench.ejb.Beans;
import tierbench.ejb.Parcel;

/** Interactions of administrators. */
record Administration(Beans<Interactions> beans) {
  /** A book with the form to change its price and its pictures. */
  JteModel adminRequest(Visit visit) {
    Given given = Given.read(visit.form());
    int id = visit.form().id("I_ID");
    State state = given.open(visit.tokenKey());
    Told.BookToEdit told = beans.ask(bookstore -> bookstore.adminRequest(id)).content();
    return PAGES.adminRequest(state, told.book(), told.related());
  }

  /** Changes a book's price and pictures, and finds out again what goes with it. */
  JteModel adminConfirm(Visit visit) {
    Given given = Given.read(visit.form());
    BookChange change = Inputs.bookChange(visit.form());
    State state = given.open(visit.tokenKey());
    String title = beans.ask(bookstore -> bookstore.adminConfirm(new Parcel<>(change)));
    return PAGES.adminConfirm(state, title, change);
  }
}
