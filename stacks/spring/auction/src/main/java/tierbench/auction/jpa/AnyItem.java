package tierbench.auction.jpa;

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
import tierbench.auction.Rows.Item;

/** What the items for sale and the old ones have in common. */
@MappedSuperclass
abstract class AnyItem {
  @Id
  @GeneratedValue(strategy = GenerationType.IDENTITY)
  Integer id;

  String name;
  String description;
  BigDecimal initialPrice;
  int quantity;
  BigDecimal reservePrice;
  BigDecimal buyNow;
  int nbOfBids;
  BigDecimal maxBid;
  @DatabaseSecond LocalDateTime startDate;
  @DatabaseSecond LocalDateTime endDate;

  @Column(name = "seller")
  Integer sellerId;

  @Column(name = "category")
  Integer categoryId;

  /**
   * An auction is open up to and including its last second. PostgreSQL's NOW() is when the
   * transaction began, which may have waited for the item since.
   */
  @Formula("end_date >= NOW()")
  @DialectOverride.Formula(
      dialect = PostgreSQLDialect.class,
      override = @Formula("end_date >= DATE_TRUNC('second', STATEMENT_TIMESTAMP())"))
  boolean open;

  Item toRow() {
    return new Item(
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
