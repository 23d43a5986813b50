package tierbench.auction.entities;

import jakarta.ejb.CreateException;
import jakarta.ejb.FinderException;
import java.util.Collection;
import tierbench.ejb.LocalEntity;
import tierbench.ejb.LocalHome;
import tierbench.ejb.Parcel;

/** Where items are found and made from within their container. */
public interface LocalItems extends LocalHome<ItemRow> {
  LocalEntity<ItemRow> create(Parcel<ItemRow> row) throws CreateException;

  Collection<LocalEntity<ItemRow>> findOfSeller(Integer seller) throws FinderException;
}
