package tierbench.auction.bmp;

import java.io.Serial;
import tierbench.auction.entities.IdsRow;

/** The row that who gives ids holds until what has them is there. */
public class IdsBean extends KeptByItself<IdsRow> {
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
