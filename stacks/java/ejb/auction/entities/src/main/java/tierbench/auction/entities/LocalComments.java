package tierbench.auction.entities;

import jakarta.ejb.CreateException;
import jakarta.ejb.FinderException;
import java.util.Collection;
import tierbench.ejb.LocalEntity;
import tierbench.ejb.LocalHome;
import tierbench.ejb.Parcel;

/** Where comments are found and made from within their container. */
public interface LocalComments extends LocalHome<CommentRow> {
  LocalEntity<CommentRow> create(Parcel<CommentRow> row) throws CreateException;

  Collection<LocalEntity<CommentRow>> findAbout(Integer user) throws FinderException;
}
