package tierbench.bookstore.cmp;

import java.io.Serial;
import tierbench.bookstore.entities.TurnRow;
import tierbench.ejb.KeptByContainer;
import tierbench.ejb.Parcel;

/** The row that who registers holds. The container keeps its state. */
public abstract class TurnBean extends KeptByContainer<TurnRow> {
  @Serial private static final long serialVersionUID = 1;

  public abstract Integer getId();

  public abstract void setId(Integer id);

  @Override
  public Parcel<TurnRow> row() {
    return new Parcel<>(new TurnRow(getId()));
  }
}
