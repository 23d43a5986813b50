package tierbench.auction.panache;

import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import java.util.List;
import tierbench.auction.Rows;

@Entity
@Table(name = "old_items")
public class OldItem extends AnyItem {
  static List<Rows.Sold> sold(int seller) {
    return find("sellerId = ?1 and endDate >= local datetime - 30 day", seller)
        .project(Rows.Sold.class)
        .list();
  }
}
