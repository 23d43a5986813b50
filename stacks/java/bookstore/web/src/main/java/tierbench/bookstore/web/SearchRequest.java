package tierbench.bookstore.web;

import static tierbench.bookstore.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.sql.SQLException;
import tierbench.bookstore.data.Books;
import tierbench.bookstore.pages.State;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/** The forms to look for books. */
final class SearchRequest implements Interaction {
  @Override
  public JteModel answer(Visit visit) throws SQLException {
    State state = Given.read(visit.form()).open(visit.tokenKey());
    return PAGES.searchRequest(state, Books.promoted(visit.session(), state.number()));
  }
}
