package tierbench.auction.web;

import static tierbench.auction.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.sql.SQLException;
import tierbench.auction.data.Items;
import tierbench.auction.data.Users;
import tierbench.auction.rules.Item;
import tierbench.auction.rules.ItemRules;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/** Logs a bidder in and shows the item with the form for the bid. */
final class PutBid implements Interaction {
  @Override
  public JteModel answer(Visit visit) throws SQLException {
    int id = visit.form().id("itemId");
    int user = LogIn.read(visit.form()).user(visit.session());
    Item item = Items.forSale(visit.session(), id);
    ItemRules.checkBidder(item, user);
    String seller = Users.nickname(visit.session(), item.seller());
    return PAGES.putBid(item, seller, visit.tokenKey().sign(user));
  }
}
