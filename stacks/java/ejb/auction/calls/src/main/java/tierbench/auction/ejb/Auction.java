package tierbench.auction.ejb;

import jakarta.ejb.EJBObject;

/** The remote interface of the session bean that servlets call: one call for each interaction. */
public interface Auction extends EJBObject, Interactions {}
