package tierbench.auction.cmp;

import java.io.Serial;
import tierbench.auction.rules.Named;
import tierbench.ejb.KeptByContainer;
import tierbench.ejb.Parcel;

/** A category or a region. The container keeps its state. */
public abstract class NamedBean extends KeptByContainer<Named> {
  @Serial private static final long serialVersionUID = 1;

  public abstract Integer getId();

  public abstract void setId(Integer id);

  public abstract String getName();

  public abstract void setName(String name);

  @Override
  public Parcel<Named> row() {
    return new Parcel<>(new Named(getId(), getName()));
  }
}
