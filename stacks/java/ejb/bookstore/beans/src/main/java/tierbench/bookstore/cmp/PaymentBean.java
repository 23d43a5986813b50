package tierbench.bookstore.cmp;

import jakarta.ejb.CreateException;
import java.io.Serial;
import java.math.BigDecimal;
import java.sql.Timestamp;
import tierbench.bookstore.entities.PaymentRow;
import tierbench.common.Money;
import tierbench.ejb.CmpEntity;
import tierbench.ejb.Parcel;

/** A payment of an order, with container-managed persistence. */
public abstract class PaymentBean extends CmpEntity<PaymentRow> {
  @Serial private static final long serialVersionUID = 1;

  public abstract Integer getOrderId();

  public abstract void setOrderId(Integer orderId);

  public abstract String getType();

  public abstract void setType(String type);

  public abstract String getNumber();

  public abstract void setNumber(String number);

  public abstract String getName();

  public abstract void setName(String name);

  public abstract Timestamp getExpires();

  public abstract void setExpires(Timestamp expires);

  public abstract String getAuthorization();

  public abstract void setAuthorization(String authorization);

  public abstract BigDecimal getAmount();

  public abstract void setAmount(BigDecimal amount);

  public abstract Timestamp getDate();

  public abstract void setDate(Timestamp date);

  public abstract Integer getCountry();

  public abstract void setCountry(Integer country);

  public Integer ejbCreate(Parcel<PaymentRow> parcel) throws CreateException {
    PaymentRow row = parcel.content();
    setOrderId(row.orderId());
    setType(row.type());
    setNumber(row.number());
    setName(row.name());
    setExpires(Timestamp.valueOf(row.expires()));
    setAuthorization(row.authorization());
    setAmount(row.amount().toDecimal());
    setDate(Timestamp.valueOf(row.date()));
    setCountry(row.country());
    return null;
  }

  public void ejbPostCreate(Parcel<PaymentRow> parcel) {}

  @Override
  public Parcel<PaymentRow> row() {
    return new Parcel<>(
        new PaymentRow(
            getOrderId(),
            getType(),
            getNumber(),
            getName(),
            getExpires().toLocalDateTime(),
            getAuthorization(),
            Money.of(getAmount()),
            getDate().toLocalDateTime(),
            getCountry()));
  }
}
