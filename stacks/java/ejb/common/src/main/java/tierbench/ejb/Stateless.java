package tierbench.ejb;

import jakarta.ejb.SessionBean;

/** What no session bean here minds: when the container makes it, and that it goes. */
public interface Stateless extends SessionBean {
  default void ejbCreate() {}

  @Override
  default void ejbActivate() {}

  @Override
  default void ejbPassivate() {}

  @Override
  default void ejbRemove() {}
}
