package tierbench.bookstore.entities;

import jakarta.ejb.CreateException;
import tierbench.ejb.LocalEntity;
import tierbench.ejb.LocalHome;
import tierbench.ejb.Parcel;

/** Where payments are found and made from within their container. */
public interface LocalPayments extends LocalHome<PaymentRow> {
  LocalEntity<PaymentRow> create(Parcel<PaymentRow> row) throws CreateException;
}
