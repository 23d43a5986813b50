package tierbench.auction.web;

import static tierbench.auction.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.sql.SQLException;
import tierbench.auction.data.Items;
import tierbench.auction.data.Listing;
import tierbench.auction.data.Period;
import tierbench.auction.rules.NewItem;
import tierbench.auction.rules.Refusal;
import tierbench.common.web.Form;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/** Puts an item up for sale, and takes the fee for it from the seller. */
final class RegisterItem implements Interaction {
  @Override
  public JteModel answer(Visit visit) throws SQLException {
    String token = visit.form().text("token", 100);
    NewItem item = read(visit.form());
    int seller = visit.tokenKey().verify(token).orElseThrow(Refusal::wrongToken);
    String category = Listing.CATEGORIES.name(visit.session(), item.category());
    item.check();
    int id = Items.register(visit.session(), item, seller);
    Period period = Items.period(visit.session(), id);
    return PAGES.registerItem(id, item, category, period.start(), period.end());
  }

  private static NewItem read(Form form) {
    return new NewItem(
        form.id("category"),
        form.text("name", 100),
        form.text("description", 8192),
        form.money("initialPrice"),
        form.money("reservePrice"),
        form.money("buyNow"),
        form.whole("quantity", 1, 10),
        form.whole("duration", 1, 7));
  }
}
