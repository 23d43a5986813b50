package tierbench.bookstore.web;

import static tierbench.bookstore.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.sql.SQLException;
import tierbench.bookstore.data.BookChanges;
import tierbench.bookstore.pages.State;
import tierbench.bookstore.rules.BookChange;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/** Changes a book's price and pictures, and finds out again what goes with it. */
final class AdminConfirm implements Interaction {
  @Override
  public JteModel answer(Visit visit) throws SQLException {
    Given given = Given.read(visit.form());
    BookChange change = Inputs.bookChange(visit.form());
    State state = given.open(visit.tokenKey());
    String title = BookChanges.make(visit.session(), change);
    return PAGES.adminConfirm(state, title, change);
  }
}
