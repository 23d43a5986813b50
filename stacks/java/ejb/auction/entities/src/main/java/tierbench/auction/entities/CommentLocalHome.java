package tierbench.auction.entities;

import jakarta.ejb.CreateException;
import jakarta.ejb.FinderException;
import java.util.Collection;
import tierbench.ejb.LocalEntity;
import tierbench.ejb.LocalHome;
import tierbench.ejb.Parcel;

/** Local home of comments. */
public interface CommentLocalHome extends LocalHome<CommentRow> {
  LocalEntity<CommentRow> create(Parcel<CommentRow> row) throws CreateException;

  Collection<LocalEntity<CommentRow>> findAbout(Integer user) throws FinderException;
}
