package tierbench.bookstore.ejb;

import jakarta.ejb.EJBObject;

/** A bean that answers all that servlets ask for: each call is one over the network. */
public interface Bookstore extends EJBObject, Interactions {}
