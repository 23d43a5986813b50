package tierbench.auction.bmp;

import java.io.Serial;
import java.util.Collection;
import tierbench.auction.rules.Named;

/** A category. It keeps its state itself. */
public class CategoryBean extends KeptByItself<Named> {
  @Serial private static final long serialVersionUID = 1;

  @Override
  Table<Named> table() {
    return Tables.CATEGORIES;
  }

  public Collection<Integer> ejbFindAll() {
    return all("ORDER BY id");
  }
}
