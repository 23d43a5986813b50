package tierbench.bookstore.web;

import static tierbench.bookstore.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.util.Set;
import tierbench.bookstore.ejb.Asked;
import tierbench.bookstore.ejb.Interactions;
import tierbench.bookstore.ejb.Told;
import tierbench.bookstore.pages.State;
import tierbench.bookstore.rules.Subjects;
import tierbench.common.web.Visit;
import tierbench.ejb.Beans;
import tierbench.ejb.Parcel;

/** Interactions that need no log-in. */
record Browsing(Beans<Interactions> beans) {
  private static final Set<String> TYPES = Set.of("author", "title", "subject");

  JteModel home(Visit visit) {
    State state = Given.read(visit.form()).open(visit.tokenKey());
    Asked.Visitor visitor = new Asked.Visitor(state.customer(), state.cart());
    Told.Home told = beans.ask(bookstore -> bookstore.home(new Parcel<>(visitor))).content();
    return PAGES.home(state, told.name(), told.promoted());
  }

  /** The query of a list of books. */
  @FunctionalInterface
  private interface Search {
    Beans.Call<Interactions, Parcel<Told.Listing>> of(String text, int number);
  }

  private JteModel onSubject(
      Visit visit, String title, String caption, String figure, Search search) {
    Given given = Given.read(visit.form());
    String subject = visit.form().choice("SUBJECT", Subjects.NAMES);
    State state = given.open(visit.tokenKey());
    return listing(state, title + subject, caption, figure, search.of(subject, state.number()));
  }

  private JteModel listing(
      State state,
      String title,
      String caption,
      String figure,
      Beans.Call<Interactions, Parcel<Told.Listing>> call) {
    Told.Listing told = beans.ask(call).content();
    return PAGES.listing(state, title, caption, figure, told.books(), told.promoted());
  }

  JteModel newProducts(Visit visit) {
    return onSubject(
        visit,
        "New books: ",
        "The books that were published last",
        "Published",
        (subject, number) -> bookstore -> bookstore.newProducts(subject, number));
  }

  JteModel bestSellers(Visit visit) {
    return onSubject(
        visit,
        "Best sellers: ",
        "The books that sold best lately",
        "Copies sold",
        (subject, number) -> bookstore -> bookstore.bestSellers(subject, number));
  }

  JteModel productDetail(Visit visit) {
    Given given = Given.read(visit.form());
    int id = visit.form().id("I_ID");
    State state = given.open(visit.tokenKey());
    Told.BookToBuy told = beans.ask(bookstore -> bookstore.productDetail(id)).content();
    return PAGES.productDetail(state, told.book(), told.related());
  }

  JteModel searchRequest(Visit visit) {
    State state = Given.read(visit.form()).open(visit.tokenKey());
    Told.Promoted told = beans.ask(bookstore -> bookstore.searchRequest(state.number())).content();
    return PAGES.searchRequest(state, told.books());
  }

  JteModel searchResults(Visit visit) {
    Given given = Given.read(visit.form());
    String type = visit.form().choice("SEARCH_TYPE", TYPES);
    String text = visit.form().text("SEARCH_STRING", 60);
    State state = given.open(visit.tokenKey());
    return listing(
        state,
        "Books by %s: %s".formatted(type, text),
        "What was found, by title",
        "Published",
        search(type, text, state.number()));
  }

  private static Beans.Call<Interactions, Parcel<Told.Listing>> search(
      String type, String text, int number) {
    return switch (type) {
      case "author" -> bookstore -> bookstore.searchByAuthor(text, number);
      case "title" -> bookstore -> bookstore.searchByTitle(text, number);
      default -> bookstore -> bookstore.searchBySubject(text, number);
    };
  }
}
