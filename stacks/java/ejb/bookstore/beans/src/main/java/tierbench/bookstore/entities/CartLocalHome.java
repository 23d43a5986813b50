package tierbench.bookstore.entities;

import jakarta.ejb.CreateException;
import tierbench.ejb.LocalEntity;
import tierbench.ejb.LocalHome;
import tierbench.ejb.Parcel;

/** Local home of carts. */
public interface CartLocalHome extends LocalHome<CartRow> {
  LocalEntity<CartRow> create(Parcel<CartRow> row) throws CreateException;
}
