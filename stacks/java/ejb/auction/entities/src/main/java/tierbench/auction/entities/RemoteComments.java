package tierbench.auction.entities;

import jakarta.ejb.CreateException;
import jakarta.ejb.EJBHome;
import jakarta.ejb.FinderException;
import java.rmi.RemoteException;
import java.util.Collection;
import tierbench.ejb.Parcel;

/** Where comments are found and made from anywhere. */
public interface RemoteComments extends EJBHome {
  RemoteComment findByPrimaryKey(Integer id) throws FinderException, RemoteException;

  RemoteComment create(Parcel<CommentRow> row) throws CreateException, RemoteException;

  Collection<RemoteComment> findAbout(Integer user) throws FinderException, RemoteException;
}
