package tierbench.auction.rules;

import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import tierbench.common.Money;

/** All that concerns a user. */
public record Affairs(
    Profile profile,
    List<OwnBid> bids,
    List<Won> won,
    List<Bought> bought,
    List<Selling> selling,
    List<Sold> sold,
    List<Remark> remarks) {

  public record Profile(
      String firstname,
      String lastname,
      String nickname,
      String email,
      int rating,
      Money balance,
      LocalDateTime registered,
      String region) {}

  /** An open item that the user bids on. */
  public record OwnBid(
      int id,
      String name,
      Money initialPrice,
      Optional<Money> highestBid,
      int numberOfBids,
      LocalDateTime end,
      Money ownBid,
      Money ownMost)
      implements Priced {}

  /** A closed item whose leader is the user and whose price has reached the reserve. */
  public record Won(
      int id, String name, Money price, LocalDateTime end, int seller, String sellerNickname) {}

  /** What the user has bought at once. */
  public record Bought(int item, String name, Money price, int quantity, LocalDateTime date) {}

  /** An open item of the user. */
  public record Selling(
      int id,
      String name,
      Money initialPrice,
      int quantity,
      Money reservePrice,
      Money buyNow,
      int numberOfBids,
      Optional<Money> highestBid,
      LocalDateTime end)
      implements Priced {}

  /** An item of the user that has closed. */
  public record Sold(
      int id,
      String name,
      int quantity,
      Money reservePrice,
      Optional<Money> highestBid,
      LocalDateTime end) {

    public String outcome() {
      if (quantity == 0) {
        return "bought";
      }
      boolean isSold = highestBid.filter(bid -> !bid.isLessThan(reservePrice)).isPresent();
      return isSold ? "sold" : "not sold";
    }
  }
}
