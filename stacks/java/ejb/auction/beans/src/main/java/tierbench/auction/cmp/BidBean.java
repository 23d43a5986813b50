package tierbench.auction.cmp;

import jakarta.ejb.CreateException;
import java.io.Serial;
import java.math.BigDecimal;
import java.sql.Timestamp;
import tierbench.auction.entities.BidRow;
import tierbench.common.Money;
import tierbench.ejb.CmpEntity;
import tierbench.ejb.Parcel;

/** A bid, with container-managed persistence. */
public abstract class BidBean extends CmpEntity<BidRow> {
  @Serial private static final long serialVersionUID = 1;

  public abstract Integer getId();

  public abstract void setId(Integer id);

  public abstract Integer getUser();

  public abstract void setUser(Integer user);

  public abstract Integer getItem();

  public abstract void setItem(Integer item);

  public abstract Integer getQuantity();

  public abstract void setQuantity(Integer quantity);

  public abstract BigDecimal getAmount();

  public abstract void setAmount(BigDecimal amount);

  public abstract BigDecimal getMost();

  public abstract void setMost(BigDecimal most);

  public abstract Timestamp getPlaced();

  public abstract void setPlaced(Timestamp placed);

  public Integer ejbCreate(Parcel<BidRow> parcel) throws CreateException {
    BidRow row = parcel.content();
    setId(row.id());
    setUser(row.user());
    setItem(row.item());
    setQuantity(row.quantity());
    setAmount(row.amount().toDecimal());
    setMost(row.most().toDecimal());
    setPlaced(Timestamp.valueOf(row.placed()));
    return null;
  }

  public void ejbPostCreate(Parcel<BidRow> parcel) {}

  @Override
  public Parcel<BidRow> row() {
    return new Parcel<>(
        new BidRow(
            getId(),
            getUser(),
            getItem(),
            getQuantity(),
            Money.of(getAmount()),
            Money.of(getMost()),
            getPlaced().toLocalDateTime()));
  }
}
