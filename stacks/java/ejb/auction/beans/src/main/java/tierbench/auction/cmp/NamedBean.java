package tierbench.auction.cmp;

import java.io.Serial;
import tierbench.auction.entities.NamedRow;
import tierbench.ejb.CmpEntity;
import tierbench.ejb.Parcel;

/** A category or a region, with container-managed persistence. */
public abstract class NamedBean extends CmpEntity<NamedRow> {
  @Serial private static final long serialVersionUID = 1;

  public abstract Integer getId();

  public abstract void setId(Integer id);

  public abstract String getName();

  public abstract void setName(String name);

  @Override
  public Parcel<NamedRow> row() {
    return new Parcel<>(new NamedRow(getId(), getName()));
  }
}
