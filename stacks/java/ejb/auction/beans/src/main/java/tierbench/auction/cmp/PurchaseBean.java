package tierbench.auction.cmp;

import jakarta.ejb.CreateException;
import java.io.Serial;
import java.sql.Timestamp;
import tierbench.auction.entities.PurchaseRow;
import tierbench.ejb.CmpEntity;
import tierbench.ejb.Parcel;

/** A purchase, with container-managed persistence. */
public abstract class PurchaseBean extends CmpEntity<PurchaseRow> {
  @Serial private static final long serialVersionUID = 1;

  public abstract Integer getId();

  public abstract void setId(Integer id);

  public abstract Integer getBuyer();

  public abstract void setBuyer(Integer buyer);

  public abstract Integer getItem();

  public abstract void setItem(Integer item);

  public abstract Integer getQuantity();

  public abstract void setQuantity(Integer quantity);

  public abstract Timestamp getBought();

  public abstract void setBought(Timestamp bought);

  public Integer ejbCreate(Parcel<PurchaseRow> parcel) throws CreateException {
    PurchaseRow row = parcel.content();
    setId(row.id());
    setBuyer(row.buyer());
    setItem(row.item());
    setQuantity(row.quantity());
    setBought(Timestamp.valueOf(row.bought()));
    return null;
  }

  public void ejbPostCreate(Parcel<PurchaseRow> parcel) {}

  @Override
  public Parcel<PurchaseRow> row() {
    return new Parcel<>(
        new PurchaseRow(
            getId(), getBuyer(), getItem(), getQuantity(), getBought().toLocalDateTime()));
  }
}
