package tierbench.auction.cmp;

import jakarta.ejb.CreateException;
import java.io.Serial;
import java.math.BigDecimal;
import java.sql.Timestamp;

/** A bid. The container keeps its state. */
public abstract class BidBean extends KeptByContainer {
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

  public Integer ejbCreate(
      Integer id,
      Integer user,
      Integer item,
      Integer quantity,
      BigDecimal amount,
      BigDecimal most,
      Timestamp placed)
      throws CreateException {
    setId(id);
    setUser(user);
    setItem(item);
    setQuantity(quantity);
    setAmount(amount);
    setMost(most);
    setPlaced(placed);
    return null;
  }

  public void ejbPostCreate(
      Integer id,
      Integer user,
      Integer item,
      Integer quantity,
      BigDecimal amount,
      BigDecimal most,
      Timestamp placed) {}
}
