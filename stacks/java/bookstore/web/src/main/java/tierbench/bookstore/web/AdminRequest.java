package tierbench.bookstore.web;

import static tierbench.bookstore.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.sql.SQLException;
import tierbench.bookstore.data.Books;
import tierbench.bookstore.pages.State;
import tierbench.bookstore.rules.EditedBook;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/** A book with the form to change its price and its pictures. */
final class AdminRequest implements Interaction {
  @Override
  public JteModel answer(Visit visit) throws SQLException {
    Given given = Given.read(visit.form());
    int id = visit.form().id("I_ID");
    State state = given.open(visit.tokenKey());
    EditedBook book = Books.edited(visit.session(), id);
    return PAGES.adminRequest(state, book, Books.pictured(visit.session(), book.related()));
  }
}
