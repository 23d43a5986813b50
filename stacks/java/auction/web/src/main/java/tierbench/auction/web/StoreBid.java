package tierbench.auction.web;

import static tierbench.auction.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.sql.SQLException;
import tierbench.auction.data.Bids;
import tierbench.auction.rules.Bid;
import tierbench.auction.rules.Refusal;
import tierbench.common.Money;
import tierbench.common.web.Form;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/** Records a bid, with the answer to it if there is one, and raises the price of its item. */
final class StoreBid implements Interaction {
  @Override
  public JteModel answer(Visit visit) throws SQLException {
    Bids.Recorded recorded = Bids.record(visit.session(), read(visit));
    return PAGES.storeBid(recorded.id(), recorded.bidding());
  }

  private static Bid read(Visit visit) {
    Form form = visit.form();
    int item = form.id("itemId");
    String token = form.text("token", 100);
    Money amount = form.money("bid");
    Money most = form.money("maxBid");
    int quantity = form.whole("qty", 0, 999_999_999);
    int user = visit.tokenKey().verify(token).orElseThrow(Refusal::wrongToken);
    return new Bid(user, item, amount, most, quantity);
  }
}
