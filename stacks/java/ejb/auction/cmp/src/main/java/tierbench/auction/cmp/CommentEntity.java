package tierbench.auction.cmp;

import jakarta.ejb.EJBLocalObject;
import java.sql.Timestamp;

/** What a user says about another one. */
public interface CommentEntity extends EJBLocalObject {
  Integer getId();

  Integer getAuthor();

  Integer getAbout();

  Integer getItem();

  Integer getRating();

  Timestamp getWritten();

  String getText();
}
