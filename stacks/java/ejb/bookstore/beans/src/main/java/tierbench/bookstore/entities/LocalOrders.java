package tierbench.bookstore.entities;

import jakarta.ejb.CreateException;
import tierbench.ejb.LocalEntity;
import tierbench.ejb.LocalHome;
import tierbench.ejb.Parcel;

/** Where orders are found and made from within their container. */
public interface LocalOrders extends LocalHome<OrderRow> {
  LocalEntity<OrderRow> create(Parcel<OrderRow> row) throws CreateException;
}
