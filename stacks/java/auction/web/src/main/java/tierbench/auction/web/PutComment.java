package tierbench.auction.web;

import static tierbench.auction.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.sql.SQLException;
import tierbench.auction.data.Items;
import tierbench.auction.data.Users;
import tierbench.auction.rules.ItemRules;
import tierbench.auction.rules.SoldBy;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/** Logs the author of a comment in and shows the form for it. */
final class PutComment implements Interaction {
  @Override
  public JteModel answer(Visit visit) throws SQLException {
    int id = visit.form().id("itemId");
    int to = visit.form().id("to");
    int user = LogIn.read(visit.form()).user(visit.session());
    SoldBy item = Items.soldBy(visit.session(), id);
    ItemRules.checkComment(item, user, to);
    String seller = Users.nickname(visit.session(), to);
    return PAGES.putComment(item, seller, visit.tokenKey().sign(user));
  }
}
