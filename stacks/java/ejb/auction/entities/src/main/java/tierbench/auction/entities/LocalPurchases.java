package tierbench.auction.entities;

import jakarta.ejb.CreateException;
import jakarta.ejb.FinderException;
import java.util.Collection;
import tierbench.ejb.LocalEntity;
import tierbench.ejb.LocalHome;
import tierbench.ejb.Parcel;

/** Where purchases are found and made from within their container. */
public interface LocalPurchases extends LocalHome<PurchaseRow> {
  LocalEntity<PurchaseRow> create(Parcel<PurchaseRow> row) throws CreateException;

  Collection<LocalEntity<PurchaseRow>> findOfBuyer(Integer buyer) throws FinderException;
}
