package tierbench.auction.entities;

import jakarta.ejb.FinderException;
import java.rmi.RemoteException;
import java.util.Collection;
import tierbench.auction.rules.Named;

/** Where categories or regions are found from anywhere. */
public interface RemoteNames extends RemoteHome<Named> {
  Collection<RemoteEntity<Named>> findAll() throws FinderException, RemoteException;
}
