package tierbench.auction.web;

import static tierbench.auction.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.sql.SQLException;
import tierbench.auction.data.AffairsOf;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/** Logs a user in and shows all that concerns them. */
final class AboutMe implements Interaction {
  @Override
  public JteModel answer(Visit visit) throws SQLException {
    int user = LogIn.read(visit.form()).user(visit.session());
    return PAGES.aboutMe(AffairsOf.user(visit.session(), user));
  }
}
