package tierbench.auction.entities;

import jakarta.ejb.CreateException;
import jakarta.ejb.FinderException;
import java.util.Collection;
import tierbench.ejb.LocalEntity;
import tierbench.ejb.LocalHome;
import tierbench.ejb.Parcel;

/** Local home of bids. */
public interface BidLocalHome extends LocalHome<BidRow> {
  LocalEntity<BidRow> create(Parcel<BidRow> row) throws CreateException;

  Collection<LocalEntity<BidRow>> findOfItem(Integer item) throws FinderException;

  Collection<LocalEntity<BidRow>> findOfUser(Integer user) throws FinderException;
}
