package tierbench.auction.web;

import static tierbench.auction.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.sql.SQLException;
import tierbench.auction.data.Comments;
import tierbench.auction.data.Users;
import tierbench.auction.rules.PublicUser;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/** What everybody may know about a user. */
final class ViewUserInfo implements Interaction {
  @Override
  public JteModel answer(Visit visit) throws SQLException {
    int id = visit.form().id("userId");
    PublicUser user = Users.find(visit.session(), id);
    return PAGES.viewUserInfo(user, Comments.about(visit.session(), id));
  }
}
