package tierbench.comments.web;

import static tierbench.comments.web.CommentsServlet.PAGES;

import gg.jte.models.runtime.JteModel;
import java.sql.SQLException;
import tierbench.comments.data.Comments;
import tierbench.common.web.Interaction;
import tierbench.common.web.Visit;

/** All comments. */
final class ListComments implements Interaction {
  @Override
  public JteModel answer(Visit visit) throws SQLException {
    return PAGES.listComments(Comments.all(visit.session()));
  }
}
