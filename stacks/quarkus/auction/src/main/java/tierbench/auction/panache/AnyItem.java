package tierbench.auction.panache;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Column;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import org.hibernate.annotations.DialectOverride;
import org.hibernate.annotations.Formula;
import org.hibernate.dialect.PostgreSQLDialect;
import tierbench.auction.Rows;

/** What the items for sale and the old ones have in common. */
@MappedSuperclass
public abstract class AnyItem extends PanacheEntityBase {
  @Id
  @GeneratedValue(strategy = GenerationType.IDENTITY)
  public Integer id;

  public String name;
  public String description;
  public BigDecimal initialPrice;
  public int quantity;
  public BigDecimal reservePrice;
  public BigDecimal buyNow;
  public int nbOfBids;
  public BigDecimal maxBid;
  @DatabaseSecond public LocalDateTime startDate;
  @DatabaseSecond public LocalDateTime endDate;

  @Column(name = "seller")
  public Integer sellerId;

  @Column(name = "category")
  public Integer categoryId;

  /**
   * An auction is open up to and including its last second. PostgreSQL's NOW() is when the
   * transaction began, which may have waited for the item since.
   */
  @Formula("end_date >= NOW()")
  @DialectOverride.Formula(
      dialect = PostgreSQLDialect.class,
      override = @Formula("end_date >= DATE_TRUNC('second', STATEMENT_TIMESTAMP())"))
  public boolean open;

  Rows.Item toRow() {
    return new Rows.Item(
        name,
        description,
        initialPrice,
        quantity,
        buyNow,
        nbOfBids,
        maxBid,
        startDate,
        endDate,
        sellerId,
        categoryId,
        open);
  }
}
