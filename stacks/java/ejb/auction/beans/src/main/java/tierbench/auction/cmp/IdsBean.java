package tierbench.auction.cmp;

import java.io.Serial;
import tierbench.auction.entities.IdsRow;
import tierbench.ejb.KeptByContainer;
import tierbench.ejb.Parcel;

/** The row that who gives ids holds until what has them is there. The container keeps its state. */
public abstract class IdsBean extends KeptByContainer<IdsRow> {
  @Serial private static final long serialVersionUID = 1;

  public abstract Integer getId();

  public abstract void setId(Integer id);

  @Override
  public Parcel<IdsRow> row() {
    return new Parcel<>(new IdsRow(getId()));
  }
}
