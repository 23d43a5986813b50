package tierbench.auction.entities;

import java.rmi.RemoteException;

/** A category or a region, by its remote interface: its row, or single fields. */
public interface RemoteNamed extends RemoteEntity<NamedRow> {
  Integer getId() throws RemoteException;

  String getName() throws RemoteException;
}
