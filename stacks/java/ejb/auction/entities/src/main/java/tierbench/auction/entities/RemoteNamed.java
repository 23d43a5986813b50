package tierbench.auction.entities;

import java.rmi.RemoteException;

/** A category or a region, called from anywhere: for its row, or for one field after the other. */
public interface RemoteNamed extends RemoteEntity<NamedRow> {
  Integer getId() throws RemoteException;

  String getName() throws RemoteException;
}
