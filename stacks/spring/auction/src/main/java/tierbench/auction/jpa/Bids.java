package tierbench.auction.jpa;

import java.util.List;
import org.springframework.context.annotation.Profile;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;
import tierbench.auction.Rows;

@Profile("jpa")
interface Bids extends JpaRepository<PlacedBid, Integer> {
  @Query(
      """
      select new tierbench.auction.Rows$PlacedBid(b.user.id, b.user.nickname, b.bid, b.qty, b.date)
      from PlacedBid b where b.itemId = :item order by b.date desc, b.id desc""")
  List<Rows.PlacedBid> on(int item);

  @Query(
      """
      select new tierbench.auction.Rows$Leader(b.user.id, b.qty, b.maxBid)
      from PlacedBid b where b.itemId = :item order by b.maxBid desc, b.id""")
  List<Rows.Leader> leaders(int item, Limit limit);
}
