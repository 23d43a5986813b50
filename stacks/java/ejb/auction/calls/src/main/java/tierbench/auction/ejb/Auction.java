package tierbench.auction.ejb;

import jakarta.ejb.EJBObject;

/** A bean that answers all that servlets ask for: each interaction is one call over the network. */
public interface Auction extends EJBObject, Interactions {}
