package tierbench.auction.web;

import static tierbench.auction.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import tierbench.auction.ejb.Interactions;
import tierbench.auction.ejb.Told;
import tierbench.auction.rules.NewUser;
import tierbench.common.Password;
import tierbench.common.web.Form;
import tierbench.common.web.Visit;
import tierbench.ejb.Beans;
import tierbench.ejb.Parcel;

/** Interactions on a user's own account. */
record Accounts(Beans<Interactions> beans) {
  JteModel registerUser(Visit visit) {
    NewUser user = user(visit.form());
    Told.RecordedUser recorded =
        beans.ask(auction -> auction.registerUser(new Parcel<>(user))).content();
    return PAGES.registerUser(recorded.id(), user, recorded.region(), recorded.registered());
  }

  private static NewUser user(Form form) {
    String firstname = form.text("firstname", 20);
    String lastname = form.text("lastname", 20);
    String nickname = form.nickname("nickname", 20);
    String email = form.email("email", 50);
    String password = form.text("password", 20);
    int region = form.id("region");
    return new NewUser(
        firstname, lastname, nickname, email, Password.hash(nickname, password), region);
  }

  JteModel aboutMe(Visit visit) {
    Credentials who = Credentials.read(visit.form());
    return PAGES.aboutMe(
        beans.ask(auction -> auction.aboutMe(who.nickname(), who.password())).content());
  }
}
