package tierbench.auction;

import java.util.List;
import tierbench.auction.Rows.Bought;
import tierbench.auction.Rows.OwnBid;
import tierbench.auction.Rows.Profile;
import tierbench.auction.Rows.Remark;
import tierbench.auction.Rows.Selling;
import tierbench.auction.Rows.Sold;
import tierbench.auction.Rows.Won;

/** All that concerns a user. */
public record Affairs(
    Profile user,
    List<OwnBid> bids,
    List<Won> won,
    List<Bought> bought,
    List<Selling> selling,
    List<Sold> sold,
    List<Remark> comments) {}
