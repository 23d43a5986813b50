package tierbench.auction.entities;

import jakarta.ejb.CreateException;
import jakarta.ejb.FinderException;
import java.util.Collection;
import tierbench.ejb.LocalEntity;
import tierbench.ejb.LocalHome;
import tierbench.ejb.Parcel;

/** Local home of items. */
public interface ItemLocalHome extends LocalHome<ItemRow> {
  LocalEntity<ItemRow> create(Parcel<ItemRow> row) throws CreateException;

  Collection<LocalEntity<ItemRow>> findOfSeller(Integer seller) throws FinderException;
}
