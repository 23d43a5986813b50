package tierbench.bookstore.web;

import static tierbench.bookstore.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.sql.SQLException;
import java.util.Optional;
import tierbench.bookstore.data.Books;
import tierbench.bookstore.data.Customers;
import tierbench.bookstore.pages.State;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/** Where every session starts. */
final class Home implements Interaction {
  @Override
  public JteModel answer(Visit visit) throws SQLException {
    State state = Given.read(visit.form()).open(visit.tokenKey());
    Optional<String> name =
        state.customer().isPresent()
            ? Optional.of(Customers.name(visit.session(), state.customer().get()))
            : Optional.empty();
    return PAGES.home(state, name, Books.promoted(visit.session(), state.number()));
  }
}
