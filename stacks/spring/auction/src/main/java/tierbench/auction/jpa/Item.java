package tierbench.auction.jpa;

import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;
import org.hibernate.annotations.DynamicUpdate;

/** An item for sale. Its description is long, so only the columns that change are updated. */
@Entity
@Table(name = "items")
@DynamicUpdate
class Item extends AnyItem {
  @ManyToOne(fetch = FetchType.LAZY)
  @JoinColumn(name = "seller", insertable = false, updatable = false)
  User seller;
}
