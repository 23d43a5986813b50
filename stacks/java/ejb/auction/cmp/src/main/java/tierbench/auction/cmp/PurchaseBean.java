package tierbench.auction.cmp;

import jakarta.ejb.CreateException;
import java.io.Serial;
import java.sql.Timestamp;

/** What was bought at once. The container keeps its state. */
public abstract class PurchaseBean extends KeptByContainer {
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

  public Integer ejbCreate(
      Integer id, Integer buyer, Integer item, Integer quantity, Timestamp bought)
      throws CreateException {
    setId(id);
    setBuyer(buyer);
    setItem(item);
    setQuantity(quantity);
    setBought(bought);
    return null;
  }

  public void ejbPostCreate(
      Integer id, Integer buyer, Integer item, Integer quantity, Timestamp bought) {}
}
