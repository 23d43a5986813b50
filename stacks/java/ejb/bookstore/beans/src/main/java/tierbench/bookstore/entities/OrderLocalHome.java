package tierbench.bookstore.entities;

import jakarta.ejb.CreateException;
import tierbench.ejb.LocalEntity;
import tierbench.ejb.LocalHome;
import tierbench.ejb.Parcel;

/** Local home of orders. */
public interface OrderLocalHome extends LocalHome<OrderRow> {
  LocalEntity<OrderRow> create(Parcel<OrderRow> row) throws CreateException;
}
