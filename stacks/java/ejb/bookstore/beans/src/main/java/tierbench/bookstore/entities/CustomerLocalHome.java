package tierbench.bookstore.entities;

import jakarta.ejb.CreateException;
import jakarta.ejb.FinderException;
import tierbench.ejb.LocalEntity;
import tierbench.ejb.LocalHome;
import tierbench.ejb.Parcel;

/** Local home of customers. */
public interface CustomerLocalHome extends LocalHome<CustomerRow> {
  LocalEntity<CustomerRow> create(Parcel<CustomerRow> row) throws CreateException;

  LocalEntity<CustomerRow> findByUname(String uname) throws FinderException;
}
