package tierbench.auction.cmp;

import jakarta.ejb.CreateException;
import java.io.Serial;
import java.sql.Timestamp;
import tierbench.auction.entities.CommentRow;
import tierbench.ejb.CmpEntity;
import tierbench.ejb.Parcel;

/** A comment on a user, with container-managed persistence. */
public abstract class CommentBean extends CmpEntity<CommentRow> {
  @Serial private static final long serialVersionUID = 1;

  public abstract Integer getId();

  public abstract void setId(Integer id);

  public abstract Integer getAuthor();

  public abstract void setAuthor(Integer author);

  public abstract Integer getAbout();

  public abstract void setAbout(Integer about);

  public abstract Integer getItem();

  public abstract void setItem(Integer item);

  public abstract Integer getRating();

  public abstract void setRating(Integer rating);

  public abstract Timestamp getWritten();

  public abstract void setWritten(Timestamp written);

  public abstract String getText();

  public abstract void setText(String text);

  public Integer ejbCreate(Parcel<CommentRow> parcel) throws CreateException {
    CommentRow row = parcel.content();
    setId(row.id());
    setAuthor(row.author());
    setAbout(row.about());
    setItem(row.item());
    setRating(row.rating());
    setWritten(Timestamp.valueOf(row.written()));
    setText(row.text());
    return null;
  }

  public void ejbPostCreate(Parcel<CommentRow> parcel) {}

  @Override
  public Parcel<CommentRow> row() {
    return new Parcel<>(
        new CommentRow(
            getId(),
            getAuthor(),
            getAbout(),
            getItem(),
            getRating(),
            getWritten().toLocalDateTime(),
            getText()));
  }
}
