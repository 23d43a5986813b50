package tierbench.auction;

import java.math.BigDecimal;
import java.time.LocalDateTime;

/** What pages show of the rows. A highest bid is null while there is none. */
public final class Rows {
  static final BigDecimal CENT = new BigDecimal("0.01");

  private Rows() {}

  public interface Priced {
    BigDecimal initialPrice();

    BigDecimal maxBid();

    default BigDecimal price() {
      return maxBid() == null ? initialPrice() : maxBid();
    }

    default BigDecimal leastBid() {
      return maxBid() == null ? initialPrice() : maxBid().add(CENT);
    }
  }

  public interface Offered extends Priced {
    BigDecimal buyNow();

    default boolean open() {
      return true;
    }

    /** The price to buy one at once, which an open item offers until the bids reach it. */
    default BigDecimal atOnce() {
      return open() && price().compareTo(buyNow()) < 0 ? buyNow() : null;
    }
  }

  public record Named(Integer id, String name) {}

  public record Account(Integer id, String password) {}

  public record PublicUser(String nickname, Integer rating, LocalDateTime creationDate) {}

  public record Item(
      String name,
      String description,
      BigDecimal initialPrice,
      Integer quantity,
      BigDecimal buyNow,
      Integer nbOfBids,
      BigDecimal maxBid,
      LocalDateTime startDate,
      LocalDateTime endDate,
      Integer seller,
      Integer category,
      boolean open)
      implements Offered {}

  /** What decides whether an item can be bid on. */
  public record Biddable(
      BigDecimal initialPrice, Integer quantity, BigDecimal maxBid, Integer seller, boolean open)
      implements Priced {}

  /** What decides whether an item can be bought at once. */
  public record Sale(
      BigDecimal initialPrice,
      Integer quantity,
      BigDecimal buyNow,
      BigDecimal maxBid,
      Integer seller,
      boolean open)
      implements Offered {}

  public record SoldBy(String name, Integer seller) {}

  public record FoundItem(
      Integer id,
      String name,
      BigDecimal initialPrice,
      BigDecimal maxBid,
      Integer nbOfBids,
      BigDecimal buyNow,
      LocalDateTime endDate)
      implements Offered {}

  public record PlacedBid(
      Integer userId, String nickname, BigDecimal bid, Integer qty, LocalDateTime date) {}

  public record Leader(Integer userId, Integer qty, BigDecimal maxBid) {}

  public record Remark(
      Integer fromUserId,
      String nickname,
      Integer itemId,
      Integer rating,
      LocalDateTime date,
      String comment) {}

  public record Period(LocalDateTime startDate, LocalDateTime endDate) {}

  public record Profile(
      String firstname,
      String lastname,
      String nickname,
      String email,
      Integer rating,
      BigDecimal balance,
      LocalDateTime creationDate,
      String region) {}

  public record OwnBid(
      Integer id,
      String name,
      BigDecimal initialPrice,
      BigDecimal maxBid,
      Integer nbOfBids,
      LocalDateTime endDate,
      BigDecimal ownBid,
      BigDecimal ownMost)
      implements Priced {}

  public record Won(
      Integer id,
      String name,
      BigDecimal maxBid,
      LocalDateTime endDate,
      Integer seller,
      String nickname) {
    public BigDecimal price() {
      return maxBid;
    }
  }

  public record Bought(
      Integer id,
      Integer itemId,
      Integer qty,
      LocalDateTime date,
      String name,
      BigDecimal buyNow) {}

  public record Selling(
      Integer id,
      String name,
      BigDecimal initialPrice,
      Integer quantity,
      BigDecimal reservePrice,
      BigDecimal buyNow,
      Integer nbOfBids,
      BigDecimal maxBid,
      LocalDateTime endDate)
      implements Priced {}

  public record Sold(
      Integer id,
      String name,
      Integer quantity,
      BigDecimal reservePrice,
      BigDecimal maxBid,
      LocalDateTime endDate) {
    public String outcome() {
      if (quantity == 0) {
        return "bought";
      }
      return maxBid != null && maxBid.compareTo(reservePrice) >= 0 ? "sold" : "not sold";
    }
  }
}
