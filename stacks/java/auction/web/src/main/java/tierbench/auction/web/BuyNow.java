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

/** Logs a buyer in and shows the item with the form for the purchase. */
final class BuyNow implements Interaction {
  @Override
  public JteModel answer(Visit visit) throws SQLException {
    int id = visit.form().id("itemId");
    int user = LogIn.read(visit.form()).user(visit.session());
    Item item = Items.forSale(visit.session(), id);
    ItemRules.checkBuyer(item, user);
    String seller = Users.nickname(visit.session(), item.seller());
    return PAGES.buyNow(item, seller, visit.tokenKey().sign(user));
  }
}
