package tierbench.auction.bmp;

import java.io.Serial;
import tierbench.auction.rules.Named;

/** A region, which is found as categories are. */
public class RegionBean extends CategoryBean {
  @Serial private static final long serialVersionUID = 1;

  @Override
  Table<Named> table() {
    return Tables.REGIONS;
  }
}
