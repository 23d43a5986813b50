package tierbench.auction.web;

import static tierbench.auction.web.Pages.PAGES;

import gg.jte.models.runtime.JteModel;
import java.sql.SQLException;
import java.util.Set;
import tierbench.auction.data.Comments;
import tierbench.auction.data.Items;
import tierbench.auction.rules.Comment;
import tierbench.auction.rules.ItemRules;
import tierbench.auction.rules.Refusal;
import tierbench.auction.rules.SoldBy;
import tierbench.common.web.Form;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/** Records a comment and adds to the rating of whom it is about. */
final class StoreComment implements Interaction {
  private static final Set<String> RATINGS = Set.of("-5", "-3", "0", "3", "5");

  @Override
  public JteModel answer(Visit visit) throws SQLException {
    Comment comment = read(visit);
    // Neither the name nor the seller of an item ever changes, so nothing needs to be locked here.
    SoldBy item = Items.soldBy(visit.session(), comment.item());
    ItemRules.checkComment(item, comment.from(), comment.to());
    int id = Comments.record(visit.session(), comment);
    return PAGES.storeComment(id, comment, item);
  }

  private static Comment read(Visit visit) {
    Form form = visit.form();
    int item = form.id("itemId");
    int to = form.id("to");
    String token = form.text("token", 100);
    int rating = Integer.parseInt(form.choice("rating", RATINGS));
    String text = form.text("comment", 2048);
    int from = visit.tokenKey().verify(token).orElseThrow(Refusal::wrongToken);
    return new Comment(from, to, item, rating, text);
  }
}
