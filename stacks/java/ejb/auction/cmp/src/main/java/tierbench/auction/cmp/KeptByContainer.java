package tierbench.auction.cmp;

import jakarta.ejb.EntityBean;
import jakarta.ejb.EntityContext;
import java.io.Serial;

/** What no entity here minds: when the container reads, writes, wakes and puts it to sleep. */
public abstract class KeptByContainer implements EntityBean {
  @Serial private static final long serialVersionUID = 1;

  @Override
  public void setEntityContext(EntityContext context) {}

  @Override
  public void unsetEntityContext() {}

  @Override
  public void ejbActivate() {}

  @Override
  public void ejbPassivate() {}

  @Override
  public void ejbLoad() {}

  @Override
  public void ejbStore() {}

  @Override
  public void ejbRemove() {}
}
