package tierbench.auction.cmp;

import java.io.Serial;

/** The row that who gives ids holds until what has them is there. The container keeps its state. */
public abstract class IdsBean extends KeptByContainer {
  @Serial private static final long serialVersionUID = 1;

  public abstract Integer getId();

  public abstract void setId(Integer id);
}
