package tierbench.auction.cmp;

import jakarta.ejb.CreateException;
import java.io.Serial;
import java.sql.Timestamp;

/** What a user says about another one. The container keeps its state. */
public abstract class CommentBean extends KeptByContainer {
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

  public Integer ejbCreate(
      Integer id,
      Integer author,
      Integer about,
      Integer item,
      Integer rating,
      Timestamp written,
      String text)
      throws CreateException {
    setId(id);
    setAuthor(author);
    setAbout(about);
    setItem(item);
    setRating(rating);
    setWritten(written);
    setText(text);
    return null;
  }

  public void ejbPostCreate(
      Integer id,
      Integer author,
      Integer about,
      Integer item,
      Integer rating,
      Timestamp written,
      String text) {}
}
