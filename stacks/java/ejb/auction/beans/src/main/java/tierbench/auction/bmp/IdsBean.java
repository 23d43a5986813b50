package tierbench.auction.bmp;

import java.io.Serial;
import tierbench.auction.entities.IdsRow;

/** The row that is locked while ids are given out, until the transaction ends. */
public class IdsBean extends BmpEntity<IdsRow> {
  @Serial private static final long serialVersionUID = 1;

  @Override
  Table<IdsRow> table() {
    return Tables.IDS;
  }

  @Override
  String lock() {
    return " FOR UPDATE";
  }
}
