package tierbench.bookstore.cmp;

import java.io.Serial;
import tierbench.bookstore.entities.TurnRow;
import tierbench.ejb.CmpEntity;
import tierbench.ejb.Parcel;

/** The row that is locked while a customer registers, with container-managed persistence. */
public abstract class TurnBean extends CmpEntity<TurnRow> {
  @Serial private static final long serialVersionUID = 1;

  public abstract Integer getId();

  public abstract void setId(Integer id);

  @Override
  public Parcel<TurnRow> row() {
    return new Parcel<>(new TurnRow(getId()));
  }
}
