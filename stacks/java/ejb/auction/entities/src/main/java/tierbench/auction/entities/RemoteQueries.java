package tierbench.auction.entities;

import jakarta.ejb.EJBObject;
import java.rmi.RemoteException;
import tierbench.ejb.Parcel;

/** Queries by a session bean, for callers without a connection to the database. */
public interface RemoteQueries extends EJBObject {
  Parcel<Now> now() throws RemoteException;

  int[] ofCategory(int category, int before, int size) throws RemoteException;

  int[] ofRegion(int category, int region, int before, int size) throws RemoteException;

  /** One id, or an empty array. */
  int[] leading(int item) throws RemoteException;
}
