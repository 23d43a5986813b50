package tierbench.auction.bmp;

import java.io.Serial;
import tierbench.auction.entities.NamedRow;

/** A region, which is found as categories are. */
public class RegionBean extends CategoryBean {
  @Serial private static final long serialVersionUID = 1;

  @Override
  Table<NamedRow> table() {
    return Tables.REGIONS;
  }
}
