package tierbench.bookstore.entities;

import jakarta.ejb.CreateException;
import jakarta.ejb.FinderException;
import java.util.Collection;
import tierbench.ejb.LocalEntity;
import tierbench.ejb.LocalHome;
import tierbench.ejb.Parcel;

/** Local home of addresses. */
public interface AddressLocalHome extends LocalHome<AddressRow> {
  LocalEntity<AddressRow> create(Parcel<AddressRow> row) throws CreateException;

  Collection<LocalEntity<AddressRow>> findSame(
      String zip, String street1, String street2, String city, String state, Integer country)
      throws FinderException;
}
