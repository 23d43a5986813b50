package tierbench.auction.cmp;

import jakarta.ejb.EJBLocalObject;

/** A category or a region. */
public interface NamedEntity extends EJBLocalObject {
  Integer getId();

  String getName();
}
