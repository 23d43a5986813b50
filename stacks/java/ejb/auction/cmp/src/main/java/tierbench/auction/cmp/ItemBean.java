package tierbench.auction.cmp;

import jakarta.ejb.CreateException;
import java.io.Serial;
import java.math.BigDecimal;
import java.sql.Timestamp;

/** An item for sale, or an old one. The container keeps its state. */
public abstract class ItemBean extends KeptByContainer {
  @Serial private static final long serialVersionUID = 1;

  public abstract Integer getId();

  public abstract void setId(Integer id);

  public abstract String getName();

  public abstract void setName(String name);

  public abstract String getDescription();

  public abstract void setDescription(String description);

  public abstract BigDecimal getInitialPrice();

  public abstract void setInitialPrice(BigDecimal initialPrice);

  public abstract Integer getQuantity();

  public abstract void setQuantity(Integer quantity);

  public abstract BigDecimal getReservePrice();

  public abstract void setReservePrice(BigDecimal reservePrice);

  public abstract BigDecimal getBuyNow();

  public abstract void setBuyNow(BigDecimal buyNow);

  public abstract Integer getBids();

  public abstract void setBids(Integer bids);

  public abstract BigDecimal getHighestBid();

  public abstract void setHighestBid(BigDecimal highestBid);

  public abstract Timestamp getStart();

  public abstract void setStart(Timestamp start);

  public abstract Timestamp getEnd();

  public abstract void setEnd(Timestamp end);

  public abstract Integer getSeller();

  public abstract void setSeller(Integer seller);

  public abstract Integer getCategory();

  public abstract void setCategory(Integer category);

  public Integer ejbCreate(
      Integer id,
      String name,
      String description,
      BigDecimal initialPrice,
      Integer quantity,
      BigDecimal reservePrice,
      BigDecimal buyNow,
      Integer bids,
      BigDecimal highestBid,
      Timestamp start,
      Timestamp end,
      Integer seller,
      Integer category)
      throws CreateException {
    setId(id);
    setName(name);
    setDescription(description);
    setInitialPrice(initialPrice);
    setQuantity(quantity);
    setReservePrice(reservePrice);
    setBuyNow(buyNow);
    setBids(bids);
    setHighestBid(highestBid);
    setStart(start);
    setEnd(end);
    setSeller(seller);
    setCategory(category);
    return null;
  }

  public void ejbPostCreate(
      Integer id,
      String name,
      String description,
      BigDecimal initialPrice,
      Integer quantity,
      BigDecimal reservePrice,
      BigDecimal buyNow,
      Integer bids,
      BigDecimal highestBid,
      Timestamp start,
      Timestamp end,
      Integer seller,
      Integer category) {}
}
