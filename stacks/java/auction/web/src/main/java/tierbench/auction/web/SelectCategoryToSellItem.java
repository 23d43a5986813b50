package tierbench.auction.web;

import static tierbench.auction.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.sql.SQLException;
import tierbench.auction.data.Listing;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/** Logs a seller in and asks for the category. */
final class SelectCategoryToSellItem implements Interaction {
  @Override
  public JteModel answer(Visit visit) throws SQLException {
    int user = LogIn.read(visit.form()).user(visit.session());
    return PAGES.selectCategoryToSellItem(
        Listing.CATEGORIES.all(visit.session()), visit.tokenKey().sign(user));
  }
}
