package tierbench.auction.panache;

import io.quarkus.panache.common.Sort;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.LockModeType;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import org.hibernate.annotations.DynamicUpdate;
import tierbench.auction.Rows;

/** An item for sale. Its description is long, so only the columns that change are updated. */
@Entity
@Table(name = "items")
@DynamicUpdate
public class Item extends AnyItem {
  private static final Sort FIRST_TO_END = Sort.by("endDate", "id");

  @ManyToOne(fetch = FetchType.LAZY)
  @JoinColumn(name = "seller", insertable = false, updatable = false)
  public User seller;

  static List<Rows.FoundItem> inCategory(int category, int page, int size) {
    return find("categoryId = ?1 and endDate >= local datetime", FIRST_TO_END, category)
        .page(page, size)
        .project(Rows.FoundItem.class)
        .list();
  }

  static List<Rows.FoundItem> inRegion(int category, int region, int page, int size) {
    return find(
            "categoryId = ?1 and seller.region.id = ?2 and endDate >= local datetime",
            FIRST_TO_END,
            category,
            region)
        .page(page, size)
        .project(Rows.FoundItem.class)
        .list();
  }

  static Optional<Item> locked(int id) {
    return findByIdOptional(id, LockModeType.PESSIMISTIC_WRITE);
  }

  static void end(int id, LocalDateTime end) {
    flush();
    update("endDate = ?1 where id = ?2", end, id);
  }

  static List<Rows.OwnBid> withBidsOf(int user) {
    return find(
            """
            select i.id, i.name, i.initialPrice, i.maxBid, i.nbOfBids, i.endDate, max(b.bid), max(b.maxBid)
            from PlacedBid b join Item i on i.id = b.itemId
            where b.user.id = ?1 and i.endDate >= local datetime
            group by i.id, i.name, i.initialPrice, i.maxBid, i.nbOfBids, i.endDate order by i.endDate, i.id""",
            user)
        .project(Rows.OwnBid.class)
        .list();
  }

  static List<Rows.Won> wonBy(int user) {
    return find(
            """
            select i.id, i.name, i.maxBid, i.endDate, i.sellerId, i.seller.nickname from Item i
            where i.id in (select b.itemId from PlacedBid b where b.user.id = ?1)
                and i.endDate < local datetime and i.quantity > 0 and i.maxBid >= i.reservePrice
                and (select b.user.id from PlacedBid b where b.itemId = i.id order by b.maxBid desc, b.id limit 1) = ?1
            order by i.endDate desc, i.id desc""",
            user)
        .project(Rows.Won.class)
        .list();
  }

  static List<Rows.Selling> selling(int seller) {
    return find("sellerId = ?1 and endDate >= local datetime", FIRST_TO_END, seller)
        .project(Rows.Selling.class)
        .list();
  }

  static List<Rows.Sold> sold(int seller) {
    return find(
            "sellerId = ?1 and endDate < local datetime and endDate >= local datetime - 30 day",
            seller)
        .project(Rows.Sold.class)
        .list();
  }
}
