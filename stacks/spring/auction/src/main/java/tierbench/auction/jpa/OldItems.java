package tierbench.auction.jpa;

import java.util.List;
import org.springframework.context.annotation.Profile;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;
import tierbench.auction.Rows;

@Profile("jpa")
interface OldItems extends JpaRepository<OldItem, Integer> {
  @Query(
      """
      select new tierbench.auction.Rows$Sold(i.id, i.name, i.quantity, i.reservePrice, i.maxBid, i.endDate)
      from OldItem i where i.sellerId = :seller and i.endDate >= local datetime - 30 day""")
  List<Rows.Sold> sold(int seller);
}
