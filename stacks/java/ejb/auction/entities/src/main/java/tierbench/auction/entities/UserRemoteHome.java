package tierbench.auction.entities;

import jakarta.ejb.CreateException;
import jakarta.ejb.EJBHome;
import jakarta.ejb.FinderException;
import java.rmi.RemoteException;
import tierbench.ejb.Parcel;

/** Remote home of users. */
public interface UserRemoteHome extends EJBHome {
  RemoteUser findByPrimaryKey(Integer id) throws FinderException, RemoteException;

  RemoteUser create(Parcel<UserRow> row) throws CreateException, RemoteException;

  RemoteUser findByNickname(String nickname) throws FinderException, RemoteException;
}
