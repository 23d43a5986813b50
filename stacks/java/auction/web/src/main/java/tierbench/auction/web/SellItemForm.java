package tierbench.auction.web;

import static tierbench.auction.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.sql.SQLException;
import tierbench.auction.data.Listing;
import tierbench.auction.rules.Refusal;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/** The form for what is to be sold. */
final class SellItemForm implements Interaction {
  @Override
  public JteModel answer(Visit visit) throws SQLException {
    String token = visit.form().text("token", 100);
    int category = visit.form().id("category");
    visit.tokenKey().verify(token).orElseThrow(Refusal::wrongToken);
    String name = Listing.CATEGORIES.name(visit.session(), category);
    return PAGES.sellItemForm(category, name, token);
  }
}
