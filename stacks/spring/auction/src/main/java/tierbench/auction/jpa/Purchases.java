package tierbench.auction.jpa;

import java.util.List;
import org.springframework.context.annotation.Profile;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;
import tierbench.auction.Rows;

@Profile("jpa")
interface Purchases extends JpaRepository<Purchase, Integer> {
  /** From both tables of items; JPQL has no UNION, so they are put together by the caller. */
  @Query(
      """
      select new tierbench.auction.Rows$Bought(p.id, p.itemId, p.qty, p.date, i.name, i.buyNow)
      from Purchase p join Item i on i.id = p.itemId
      where p.buyerId = :buyer and p.date >= local datetime - 30 day""")
  List<Rows.Bought> ofItems(int buyer);

  @Query(
      """
      select new tierbench.auction.Rows$Bought(p.id, p.itemId, p.qty, p.date, i.name, i.buyNow)
      from Purchase p join OldItem i on i.id = p.itemId
      where p.buyerId = :buyer and p.date >= local datetime - 30 day""")
  List<Rows.Bought> ofOldItems(int buyer);
}
