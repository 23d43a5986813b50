package tierbench.bookstore.cmp;

import jakarta.ejb.CreateException;
import java.io.Serial;
import java.math.BigDecimal;
import java.sql.Timestamp;
import tierbench.bookstore.entities.OrderRow;
import tierbench.common.Money;
import tierbench.ejb.CmpEntity;
import tierbench.ejb.Parcel;

/** An order, with container-managed persistence. */
public abstract class OrderBean extends CmpEntity<OrderRow> {
  @Serial private static final long serialVersionUID = 1;

  public abstract Integer getId();

  public abstract void setId(Integer id);

  public abstract Integer getCustomer();

  public abstract void setCustomer(Integer customer);

  public abstract Timestamp getDate();

  public abstract void setDate(Timestamp date);

  public abstract BigDecimal getSubTotal();

  public abstract void setSubTotal(BigDecimal subTotal);

  public abstract BigDecimal getTax();

  public abstract void setTax(BigDecimal tax);

  public abstract BigDecimal getTotal();

  public abstract void setTotal(BigDecimal total);

  public abstract String getShipType();

  public abstract void setShipType(String shipType);

  public abstract Timestamp getShipDate();

  public abstract void setShipDate(Timestamp shipDate);

  public abstract Integer getBillAddress();

  public abstract void setBillAddress(Integer billAddress);

  public abstract Integer getShipAddress();

  public abstract void setShipAddress(Integer shipAddress);

  public abstract String getStatus();

  public abstract void setStatus(String status);

  public Integer ejbCreate(Parcel<OrderRow> parcel) throws CreateException {
    OrderRow row = parcel.content();
    setId(row.id());
    setCustomer(row.customer());
    setDate(Timestamp.valueOf(row.date()));
    setSubTotal(row.subTotal().toDecimal());
    setTax(row.tax().toDecimal());
    setTotal(row.total().toDecimal());
    setShipType(row.shipType());
    setShipDate(Timestamp.valueOf(row.shipDate()));
    setBillAddress(row.billAddress());
    setShipAddress(row.shipAddress());
    setStatus(row.status());
    return null;
  }

  public void ejbPostCreate(Parcel<OrderRow> parcel) {}

  @Override
  public Parcel<OrderRow> row() {
    return new Parcel<>(
        new OrderRow(
            getId(),
            getCustomer(),
            getDate().toLocalDateTime(),
            Money.of(getSubTotal()),
            Money.of(getTax()),
            Money.of(getTotal()),
            getShipType(),
            getShipDate().toLocalDateTime(),
            getBillAddress(),
            getShipAddress(),
            getStatus()));
  }
}
