package tierbench.auction.web;

import static tierbench.auction.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.sql.SQLException;
import tierbench.auction.data.Purchases;
import tierbench.auction.rules.Purchase;
import tierbench.auction.rules.Refusal;
import tierbench.common.web.Form;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/** Records a purchase and takes it from what there is of the item. */
final class StoreBuyNow implements Interaction {
  @Override
  public JteModel answer(Visit visit) throws SQLException {
    Purchase purchase = read(visit);
    Purchases.Recorded recorded = Purchases.record(visit.session(), purchase);
    return PAGES.storeBuyNow(recorded.id(), purchase.quantity(), recorded.item());
  }

  private static Purchase read(Visit visit) {
    Form form = visit.form();
    int item = form.id("itemId");
    String token = form.text("token", 100);
    int quantity = form.whole("qty", 0, 999_999_999);
    int buyer = visit.tokenKey().verify(token).orElseThrow(Refusal::wrongToken);
    return new Purchase(buyer, item, quantity);
  }
}
