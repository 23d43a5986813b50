package tierbench.auction.panache;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import tierbench.auction.Rows;

@Entity
@Table(name = "bids")
public class PlacedBid extends PanacheEntityBase {
  @Id
  @GeneratedValue(strategy = GenerationType.IDENTITY)
  public Integer id;

  @ManyToOne(fetch = FetchType.LAZY)
  @JoinColumn(name = "user_id")
  public User user;

  public Integer itemId;
  public Integer qty;
  public BigDecimal bid;
  public BigDecimal maxBid;
  @DatabaseSecond public LocalDateTime date;

  static List<Rows.PlacedBid> on(int item) {
    return find(
            """
            select b.user.id, b.user.nickname, b.bid, b.qty, b.date
            from PlacedBid b where b.itemId = ?1 order by b.date desc, b.id desc""",
            item)
        .project(Rows.PlacedBid.class)
        .list();
  }

  static Optional<Rows.Leader> leader(int item) {
    return find(
            """
            select b.user.id, b.qty, b.maxBid
            from PlacedBid b where b.itemId = ?1 order by b.maxBid desc, b.id""",
            item)
        .page(0, 1)
        .project(Rows.Leader.class)
        .firstResultOptional();
  }
}
