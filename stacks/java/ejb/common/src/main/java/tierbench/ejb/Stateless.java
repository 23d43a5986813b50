package tierbench.ejb;

import jakarta.ejb.SessionBean;

/** Empty EJB life-cycle callbacks for stateless session beans. */
public interface Stateless extends SessionBean {
  default void ejbCreate() {}

  @Override
  default void ejbActivate() {}

  @Override
  default void ejbPassivate() {}

  @Override
  default void ejbRemove() {}
}
