package tierbench.bookstore.cmp;

import jakarta.ejb.CreateException;
import java.io.Serial;
import java.math.BigDecimal;
import tierbench.bookstore.entities.OrderLineRow;
import tierbench.common.Money;
import tierbench.ejb.CmpEntity;
import tierbench.ejb.Parcel;

/** A book of an order, with container-managed persistence. */
public abstract class OrderLineBean extends CmpEntity<OrderLineRow> {
  @Serial private static final long serialVersionUID = 1;

  public abstract Integer getId();

  public abstract void setId(Integer id);

  public abstract Integer getOrderId();

  public abstract void setOrderId(Integer orderId);

  public abstract Integer getBook();

  public abstract void setBook(Integer book);

  public abstract Integer getQuantity();

  public abstract void setQuantity(Integer quantity);

  public abstract Integer getDiscount();

  public abstract void setDiscount(Integer discount);

  public abstract BigDecimal getPrice();

  public abstract void setPrice(BigDecimal price);

  public abstract String getComments();

  public abstract void setComments(String comments);

  public Integer ejbCreate(Parcel<OrderLineRow> parcel) throws CreateException {
    OrderLineRow row = parcel.content();
    setId(row.id());
    setOrderId(row.orderId());
    setBook(row.book());
    setQuantity(row.quantity());
    setDiscount(row.discount());
    setPrice(row.price().toDecimal());
    setComments(row.comments());
    return null;
  }

  public void ejbPostCreate(Parcel<OrderLineRow> parcel) {}

  @Override
  public Parcel<OrderLineRow> row() {
    return new Parcel<>(
        new OrderLineRow(
            getId(),
            getOrderId(),
            getBook(),
            getQuantity(),
            getDiscount(),
            Money.of(getPrice()),
            getComments()));
  }
}
