package tierbench.bookstore.entities;

import jakarta.ejb.CreateException;
import tierbench.ejb.LocalEntity;
import tierbench.ejb.LocalHome;
import tierbench.ejb.Parcel;

/** Local home of payments. */
public interface PaymentLocalHome extends LocalHome<PaymentRow> {
  LocalEntity<PaymentRow> create(Parcel<PaymentRow> row) throws CreateException;
}
