package tierbench.bookstore.cmp;

import jakarta.ejb.CreateException;
import java.io.Serial;
import tierbench.bookstore.entities.CartLineRow;
import tierbench.ejb.CmpEntity;
import tierbench.ejb.Parcel;

/** A book in a cart, with container-managed persistence. */
public abstract class CartLineBean extends CmpEntity<CartLineRow> {
  @Serial private static final long serialVersionUID = 1;

  public abstract Integer getId();

  public abstract void setId(Integer id);

  public abstract Integer getCart();

  public abstract void setCart(Integer cart);

  public abstract Integer getBook();

  public abstract void setBook(Integer book);

  public abstract Integer getQuantity();

  public abstract void setQuantity(Integer quantity);

  public Integer ejbCreate(Parcel<CartLineRow> parcel) throws CreateException {
    CartLineRow row = parcel.content();
    setId(row.id());
    setCart(row.cart());
    setBook(row.book());
    setQuantity(row.quantity());
    return null;
  }

  public void ejbPostCreate(Parcel<CartLineRow> parcel) {}

  @Override
  public Parcel<CartLineRow> row() {
    return new Parcel<>(new CartLineRow(getId(), getCart(), getBook(), getQuantity()));
  }

  @Override
  public void change(Parcel<CartLineRow> parcel) {
    CartLineRow row = parcel.content();
    setQuantity(row.quantity());
  }
}
