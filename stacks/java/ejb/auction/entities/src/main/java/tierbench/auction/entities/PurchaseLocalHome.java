package tierbench.auction.entities;

import jakarta.ejb.CreateException;
import jakarta.ejb.FinderException;
import java.util.Collection;
import tierbench.ejb.LocalEntity;
import tierbench.ejb.LocalHome;
import tierbench.ejb.Parcel;

/** Local home of purchases. */
public interface PurchaseLocalHome extends LocalHome<PurchaseRow> {
  LocalEntity<PurchaseRow> create(Parcel<PurchaseRow> row) throws CreateException;

  Collection<LocalEntity<PurchaseRow>> findOfBuyer(Integer buyer) throws FinderException;
}
