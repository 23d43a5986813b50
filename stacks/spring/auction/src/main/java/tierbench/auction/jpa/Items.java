package tierbench.auction.jpa;

import jakarta.persistence.LockModeType;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import org.springframework.context.annotation.Profile;
import org.springframework.data.domain.Pageable;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Lock;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import tierbench.auction.Rows;

@Profile("jpa")
interface Items extends JpaRepository<Item, Integer> {
  String FOUND =
      "select new tierbench.auction.Rows$FoundItem(i.id, i.name, i.initialPrice, i.maxBid, i.nbOfBids, i.buyNow, i.endDate)";

  @Query(
      FOUND
          + """
           from Item i where i.categoryId = :category and i.endDate >= local datetime order by i.endDate, i.id""")
  List<Rows.FoundItem> inCategory(int category, Pageable part);

  @Query(
      FOUND
          + """
           from Item i where i.categoryId = :category and i.seller.region.id = :region and i.endDate >= local datetime
          order by i.endDate, i.id""")
  List<Rows.FoundItem> inRegion(int category, int region, Pageable part);

  @Lock(LockModeType.PESSIMISTIC_WRITE)
  @Query("select i from Item i where i.id = :id")
  Optional<Item> lock(int id);

  /** With open-in-view, the session outlives the transaction, and would show the former end. */
  @Modifying(flushAutomatically = true, clearAutomatically = true)
  @Query("update Item i set i.endDate = :end where i.id = :id")
  void end(int id, LocalDateTime end);

  @Query(
      """
      select new tierbench.auction.Rows$OwnBid(
          i.id, i.name, i.initialPrice, i.maxBid, i.nbOfBids, i.endDate, max(b.bid), max(b.maxBid))
      from PlacedBid b join Item i on i.id = b.itemId
      where b.user.id = :user and i.endDate >= local datetime
      group by i.id, i.name, i.initialPrice, i.maxBid, i.nbOfBids, i.endDate order by i.endDate, i.id""")
  List<Rows.OwnBid> withBidsOf(int user);

  @Query(
      """
      select new tierbench.auction.Rows$Won(i.id, i.name, i.maxBid, i.endDate, i.sellerId, i.seller.nickname)
      from Item i
      where i.id in (select b.itemId from PlacedBid b where b.user.id = :user)
          and i.endDate < local datetime and i.quantity > 0 and i.maxBid >= i.reservePrice
          and (select b.user.id from PlacedBid b where b.itemId = i.id order by b.maxBid desc, b.id limit 1) = :user
      order by i.endDate desc, i.id desc""")
  List<Rows.Won> wonBy(int user);

  @Query(
      """
      select new tierbench.auction.Rows$Selling(
          i.id, i.name, i.initialPrice, i.quantity, i.reservePrice, i.buyNow, i.nbOfBids, i.maxBid, i.endDate)
      from Item i where i.sellerId = :seller and i.endDate >= local datetime order by i.endDate, i.id""")
  List<Rows.Selling> selling(int seller);

  @Query(
      """
      select new tierbench.auction.Rows$Sold(i.id, i.name, i.quantity, i.reservePrice, i.maxBid, i.endDate)
      from Item i
      where i.sellerId = :seller and i.endDate < local datetime and i.endDate >= local datetime - 30 day""")
  List<Rows.Sold> sold(int seller);
}
