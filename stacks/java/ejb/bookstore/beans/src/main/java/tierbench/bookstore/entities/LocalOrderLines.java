package tierbench.bookstore.entities;

import jakarta.ejb.CreateException;
import jakarta.ejb.FinderException;
import java.util.Collection;
import tierbench.ejb.LocalEntity;
import tierbench.ejb.LocalHome;
import tierbench.ejb.Parcel;

/** Where books of orders are found and made from within their container. */
public interface LocalOrderLines extends LocalHome<OrderLineRow> {
  LocalEntity<OrderLineRow> create(Parcel<OrderLineRow> row) throws CreateException;

  Collection<LocalEntity<OrderLineRow>> findOfOrder(Integer order) throws FinderException;
}
