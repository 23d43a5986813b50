package tierbench.auction.entities;

import jakarta.ejb.CreateException;
import jakarta.ejb.FinderException;
import java.rmi.RemoteException;
import tierbench.ejb.Parcel;

/** Where users are found and made from anywhere. */
public interface RemoteUsers extends RemoteHome<UserRow> {
  RemoteEntity<UserRow> create(Parcel<UserRow> row) throws CreateException, RemoteException;

  RemoteEntity<UserRow> findByNickname(String nickname) throws FinderException, RemoteException;
}
