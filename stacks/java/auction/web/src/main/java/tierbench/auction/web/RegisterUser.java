package tierbench.auction.web;

import static tierbench.auction.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.sql.SQLException;
import tierbench.auction.data.Listing;
import tierbench.auction.data.Users;
import tierbench.auction.rules.NewUser;
import tierbench.common.Fault;
import tierbench.common.Password;
import tierbench.common.web.Form;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/** Adds a user. */
final class RegisterUser implements Interaction {
  @Override
  public JteModel answer(Visit visit) throws SQLException {
    NewUser user = read(visit.form());
    String region =
        Listing.REGIONS
            .find(visit.session(), user.region())
            .orElseThrow(() -> Fault.parameter("region"));
    int id = Users.register(visit.session(), user);
    return PAGES.registerUser(id, user, region, Users.registered(visit.session(), id));
  }

  private static NewUser read(Form form) {
    String firstname = form.text("firstname", 20);
    String lastname = form.text("lastname", 20);
    String nickname = form.nickname("nickname", 20);
    String email = form.email("email", 50);
    String password = form.text("password", 20);
    int region = form.id("region");
    return new NewUser(
        firstname, lastname, nickname, email, Password.hash(nickname, password), region);
  }
}
