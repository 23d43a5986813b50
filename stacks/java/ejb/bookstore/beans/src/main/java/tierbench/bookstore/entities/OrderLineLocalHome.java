package tierbench.bookstore.entities;

import jakarta.ejb.CreateException;
import jakarta.ejb.FinderException;
import java.util.Collection;
import tierbench.ejb.LocalEntity;
import tierbench.ejb.LocalHome;
import tierbench.ejb.Parcel;

/** Local home of books of orders. */
public interface OrderLineLocalHome extends LocalHome<OrderLineRow> {
  LocalEntity<OrderLineRow> create(Parcel<OrderLineRow> row) throws CreateException;

  Collection<LocalEntity<OrderLineRow>> findOfOrder(Integer order) throws FinderException;
}
