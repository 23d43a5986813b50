package tierbench.ejb;

import jakarta.ejb.EntityBean;
import jakarta.ejb.EntityContext;
import java.io.Serial;

/** Empty EJB life-cycle callbacks for container-managed entities. */
public abstract class CmpEntity<R extends Record> implements EntityBean {
  @Serial private static final long serialVersionUID = 1;

  public abstract Parcel<R> row();

  /** Changes the entity; most kinds never change. */
  public void change(Parcel<R> parcel) {
    throw new UnsupportedOperationException("rows of this kind never change");
  }

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
