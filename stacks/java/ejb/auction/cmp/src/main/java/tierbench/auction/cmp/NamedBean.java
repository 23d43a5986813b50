package tierbench.auction.cmp;

import java.io.Serial;

/** A category or a region. The container keeps its state. */
public abstract class NamedBean extends KeptByContainer {
  @Serial private static final long serialVersionUID = 1;

  public abstract Integer getId();

  public abstract void setId(Integer id);

  public abstract String getName();

  public abstract void setName(String name);
}
