package tierbench.auction.bmp;

import java.io.Serial;
import java.util.Collection;
import tierbench.auction.entities.NamedRow;

/** A category, with bean-managed persistence. */
public class CategoryBean extends BmpEntity<NamedRow> {
  @Serial private static final long serialVersionUID = 1;

  @Override
  Table<NamedRow> table() {
    return Tables.CATEGORIES;
  }

  public Collection<Integer> ejbFindAll() {
    return all("ORDER BY id");
  }

  public Integer getId() {
    return row().content().id();
  }

  public String getName() {
    return row().content().name();
  }
}
