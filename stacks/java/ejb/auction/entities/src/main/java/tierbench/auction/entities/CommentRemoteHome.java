package tierbench.auction.entities;

import jakarta.ejb.CreateException;
import jakarta.ejb.EJBHome;
import jakarta.ejb.FinderException;
import java.rmi.RemoteException;
import java.util.Collection;
import tierbench.ejb.Parcel;

/** Remote home of comments. */
public interface CommentRemoteHome extends EJBHome {
  RemoteComment findByPrimaryKey(Integer id) throws FinderException, RemoteException;

  RemoteComment create(Parcel<CommentRow> row) throws CreateException, RemoteException;

  Collection<RemoteComment> findAbout(Integer user) throws FinderException, RemoteException;
}
