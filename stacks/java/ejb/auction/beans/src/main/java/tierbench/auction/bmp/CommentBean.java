package tierbench.auction.bmp;

import java.io.Serial;
import java.sql.Timestamp;
import java.util.Collection;
import tierbench.auction.entities.CommentRow;

/** A comment on a user, with bean-managed persistence. */
public class CommentBean extends BmpEntity<CommentRow> {
  @Serial private static final long serialVersionUID = 1;

  @Override
  Table<CommentRow> table() {
    return Tables.COMMENTS;
  }

  public Collection<Integer> ejbFindAbout(Integer user) {
    return all("WHERE to_user_id = ? ORDER BY date DESC, id DESC", user);
  }

  public Integer getId() {
    return row().content().id();
  }

  public Integer getAuthor() {
    return row().content().author();
  }

  public Integer getAbout() {
    return row().content().about();
  }

  public Integer getItem() {
    return row().content().item();
  }

  public Integer getRating() {
    return row().content().rating();
  }

  public Timestamp getWritten() {
    return Timestamp.valueOf(row().content().written());
  }

  public String getText() {
    return row().content().text();
  }
}
