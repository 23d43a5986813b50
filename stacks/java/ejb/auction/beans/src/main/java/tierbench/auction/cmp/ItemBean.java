package tierbench.auction.cmp;

import jakarta.ejb.CreateException;
import java.io.Serial;
import java.math.BigDecimal;
import java.sql.Timestamp;
import java.util.Optional;
import tierbench.auction.entities.ItemRow;
import tierbench.common.Money;
import tierbench.ejb.CmpEntity;
import tierbench.ejb.Parcel;

/** An item for sale, or an old one, with container-managed persistence. */
public abstract class ItemBean extends CmpEntity<ItemRow> {
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

  public Integer ejbCreate(Parcel<ItemRow> parcel) throws CreateException {
    ItemRow row = parcel.content();
    setId(row.id());
    setName(row.name());
    setDescription(row.description());
    setInitialPrice(row.initialPrice().toDecimal());
    setQuantity(row.quantity());
    setReservePrice(row.reservePrice().toDecimal());
    setBuyNow(row.buyNow().toDecimal());
    setBids(row.bids());
    setHighestBid(row.highestBid().map(Money::toDecimal).orElse(null));
    setStart(Timestamp.valueOf(row.start()));
    setEnd(Timestamp.valueOf(row.end()));
    setSeller(row.seller());
    setCategory(row.category());
    return null;
  }

  public void ejbPostCreate(Parcel<ItemRow> parcel) {}

  @Override
  public Parcel<ItemRow> row() {
    return new Parcel<>(
        new ItemRow(
            getId(),
            getName(),
            getDescription(),
            Money.of(getInitialPrice()),
            getQuantity(),
            Money.of(getReservePrice()),
            Money.of(getBuyNow()),
            getBids(),
            Optional.ofNullable(getHighestBid()).map(Money::of),
            getStart().toLocalDateTime(),
            getEnd().toLocalDateTime(),
            getSeller(),
            getCategory()));
  }

  @Override
  public void change(Parcel<ItemRow> parcel) {
    ItemRow is = row().content();
    ItemRow row = parcel.content();
    if (row.quantity() != is.quantity()) {
      setQuantity(row.quantity());
    }
    if (row.bids() != is.bids()) {
      setBids(row.bids());
    }
    if (!row.highestBid().equals(is.highestBid())) {
      setHighestBid(row.highestBid().map(Money::toDecimal).orElse(null));
    }
    if (!row.end().equals(is.end())) {
      setEnd(Timestamp.valueOf(row.end()));
    }
  }
}
