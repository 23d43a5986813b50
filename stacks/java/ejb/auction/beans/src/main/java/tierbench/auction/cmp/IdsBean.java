package tierbench.auction.cmp;

import java.io.Serial;
import tierbench.auction.entities.IdsRow;
import tierbench.ejb.CmpEntity;
import tierbench.ejb.Parcel;

/** The row that is locked while ids are given out, with container-managed persistence. */
public abstract class IdsBean extends CmpEntity<IdsRow> {
  @Serial private static final long serialVersionUID = 1;

  public abstract Integer getId();

  public abstract void setId(Integer id);

  @Override
  public Parcel<IdsRow> row() {
    return new Parcel<>(new IdsRow(getId()));
  }
}
