package tierbench.auction.web;

import static tierbench.auction.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.sql.SQLException;
import tierbench.auction.data.Bids;
import tierbench.auction.data.Items;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/** All bids on an item, the latest on top. */
final class ViewBidHistory implements Interaction {
  @Override
  public JteModel answer(Visit visit) throws SQLException {
    int item = visit.form().id("itemId");
    String name = Items.name(visit.session(), item);
    return PAGES.viewBidHistory(item, name, Bids.history(visit.session(), item));
  }
}
