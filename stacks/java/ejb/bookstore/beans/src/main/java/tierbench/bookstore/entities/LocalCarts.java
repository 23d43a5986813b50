package tierbench.bookstore.entities;

import jakarta.ejb.CreateException;
import tierbench.ejb.LocalEntity;
import tierbench.ejb.LocalHome;
import tierbench.ejb.Parcel;

/** Where carts are found and made from within their container. */
public interface LocalCarts extends LocalHome<CartRow> {
  LocalEntity<CartRow> create(Parcel<CartRow> row) throws CreateException;
}
