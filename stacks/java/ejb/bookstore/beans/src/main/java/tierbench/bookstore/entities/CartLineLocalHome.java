package tierbench.bookstore.entities;

import jakarta.ejb.CreateException;
import jakarta.ejb.FinderException;
import java.util.Collection;
import tierbench.ejb.LocalEntity;
import tierbench.ejb.LocalHome;
import tierbench.ejb.Parcel;

/** Local home of books in carts. */
public interface CartLineLocalHome extends LocalHome<CartLineRow> {
  LocalEntity<CartLineRow> create(Parcel<CartLineRow> row) throws CreateException;

  Collection<LocalEntity<CartLineRow>> findOfCart(Integer cart) throws FinderException;
}
