package tierbench.bookstore.web;

import static tierbench.bookstore.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.sql.SQLException;
import tierbench.bookstore.data.Books;
import tierbench.bookstore.pages.State;
import tierbench.bookstore.rules.Book;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/** A book, and the books that go with it. */
final class ProductDetail implements Interaction {
  @Override
  public JteModel answer(Visit visit) throws SQLException {
    Given given = Given.read(visit.form());
    int id = visit.form().id("I_ID");
    State state = given.open(visit.tokenKey());
    Book book = Books.find(visit.session(), id);
    return PAGES.productDetail(state, book, Books.covers(visit.session(), book.related()));
  }
}
