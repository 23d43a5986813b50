package tierbench.auction.entities;

import jakarta.ejb.CreateException;
import jakarta.ejb.FinderException;
import java.rmi.RemoteException;
import java.util.Collection;
import tierbench.ejb.Parcel;

/** Where comments are found and made from anywhere. */
public interface RemoteComments extends RemoteHome<CommentRow> {
  RemoteEntity<CommentRow> create(Parcel<CommentRow> row) throws CreateException, RemoteException;

  Collection<RemoteEntity<CommentRow>> findAbout(Integer user)
      throws FinderException, RemoteException;
}
