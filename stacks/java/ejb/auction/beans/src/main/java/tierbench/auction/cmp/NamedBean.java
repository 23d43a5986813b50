package tierbench.auction.cmp;

import java.io.Serial;
import tierbench.auction.entities.NamedRow;
import tierbench.ejb.KeptByContainer;
import tierbench.ejb.Parcel;

/** A category or a region. The container keeps its state. */
public abstract class NamedBean extends KeptByContainer<NamedRow> {
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
