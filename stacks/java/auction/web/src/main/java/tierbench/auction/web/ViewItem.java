package tierbench.auction.web;

import static tierbench.auction.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.sql.SQLException;
import tierbench.auction.data.Items;
import tierbench.auction.data.Users;
import tierbench.auction.rules.Item;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/** An item, open, closed or old. */
final class ViewItem implements Interaction {
  @Override
  public JteModel answer(Visit visit) throws SQLException {
    Item item = Items.any(visit.session(), visit.form().id("itemId"));
    return PAGES.viewItem(item, Users.nickname(visit.session(), item.seller()));
  }
}
