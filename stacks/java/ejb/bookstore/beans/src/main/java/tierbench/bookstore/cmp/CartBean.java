package tierbench.bookstore.cmp;

import jakarta.ejb.CreateException;
import java.io.Serial;
import java.sql.Timestamp;
import java.util.Optional;
import tierbench.bookstore.entities.CartRow;
import tierbench.ejb.CmpEntity;
import tierbench.ejb.Parcel;

/** A cart, with container-managed persistence. */
public abstract class CartBean extends CmpEntity<CartRow> {
  @Serial private static final long serialVersionUID = 1;

  public abstract Integer getId();

  public abstract void setId(Integer id);

  public abstract Timestamp getChanged();

  public abstract void setChanged(Timestamp changed);

  public abstract Integer getBecameOrder();

  public abstract void setBecameOrder(Integer becameOrder);

  public Integer ejbCreate(Parcel<CartRow> parcel) throws CreateException {
    CartRow row = parcel.content();
    setId(row.id());
    setChanged(Timestamp.valueOf(row.changed()));
    setBecameOrder(row.becameOrder().orElse(null));
    return null;
  }

  public void ejbPostCreate(Parcel<CartRow> parcel) {}

  @Override
  public Parcel<CartRow> row() {
    return new Parcel<>(
        new CartRow(
            getId(), getChanged().toLocalDateTime(), Optional.ofNullable(getBecameOrder())));
  }

  @Override
  public void change(Parcel<CartRow> parcel) {
    CartRow row = parcel.content();
    setChanged(Timestamp.valueOf(row.changed()));
    setBecameOrder(row.becameOrder().orElse(null));
  }
}
