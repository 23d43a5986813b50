package tierbench.auction.cmp;

import jakarta.ejb.EJBLocalObject;

/** The row that who gives ids holds until what has them is there. */
public interface IdsEntity extends EJBLocalObject {
  Integer getId();
}
