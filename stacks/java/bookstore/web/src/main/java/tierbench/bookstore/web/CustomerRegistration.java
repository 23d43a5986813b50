package tierbench.bookstore.web;

import static tierbench.bookstore.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.sql.SQLException;
import java.util.Optional;
import tierbench.bookstore.data.Addresses;
import tierbench.bookstore.pages.State;
import tierbench.common.web.Form;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/** Before a cart is ordered, the form to log in, or the one to register. */
final class CustomerRegistration implements Interaction {
  @Override
  public JteModel answer(Visit visit) throws SQLException {
    Form form = visit.form();
    Given given = Given.readWithCart(form);
    Optional<Boolean> returns = form.optional("RETURNING_FLAG", name -> Inputs.flag(form, name));
    State state = given.open(visit.tokenKey());
    return returns.orElse(state.customer().isPresent())
        ? PAGES.logIn(state)
        : PAGES.register(state, Addresses.countries(visit.session()));
  }
}
