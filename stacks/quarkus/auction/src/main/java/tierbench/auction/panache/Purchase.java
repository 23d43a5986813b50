package tierbench.auction.panache;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.LocalDateTime;
import java.util.List;
import java.util.stream.Stream;
import tierbench.auction.Rows;

@Entity
@Table(name = "buy_now")
public class Purchase extends PanacheEntityBase {
  @Id
  @GeneratedValue(strategy = GenerationType.IDENTITY)
  public Integer id;

  public Integer buyerId;
  public Integer itemId;
  public Integer qty;
  @DatabaseSecond public LocalDateTime date;

  /** Of both tables of items. */
  static Stream<Rows.Bought> by(int buyer) {
    return Stream.of(Item.class, OldItem.class).flatMap(items -> by(buyer, items).stream());
  }

  private static List<Rows.Bought> by(int buyer, Class<? extends AnyItem> items) {
    return find(
            """
            select p.id, p.itemId, p.qty, p.date, i.name, i.buyNow
            from Purchase p join %s i on i.id = p.itemId
            where p.buyerId = ?1 and p.date >= local datetime - 30 day"""
                .formatted(items.getSimpleName()),
            buyer)
        .project(Rows.Bought.class)
        .list();
  }
}
