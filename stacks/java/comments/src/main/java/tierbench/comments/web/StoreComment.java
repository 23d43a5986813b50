package tierbench.comments.web;

import static tierbench.comments.web.CommentsServlet.PAGES;

import gg.jte.models.runtime.JteModel;
import java.sql.SQLException;
import tierbench.comments.data.Comment;
import tierbench.comments.data.Comments;
import tierbench.common.web.Form;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/** Records a comment. */
final class StoreComment implements Interaction {
  @Override
  public JteModel answer(Visit visit) throws SQLException {
    Form form = visit.form();
    Comment comment =
        new Comment(form.text("name", 50), form.email("email", 80), form.text("comment", 2048));
    return PAGES.storeComment(Comments.record(visit.session(), comment), comment);
  }
}
