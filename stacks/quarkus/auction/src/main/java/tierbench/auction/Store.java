package tierbench.auction;

import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import tierbench.auction.Rows.Account;
import tierbench.auction.Rows.Biddable;
import tierbench.auction.Rows.FoundItem;
import tierbench.auction.Rows.Item;
import tierbench.auction.Rows.Leader;
import tierbench.auction.Rows.Named;
import tierbench.auction.Rows.Period;
import tierbench.auction.Rows.PlacedBid;
import tierbench.auction.Rows.PublicUser;
import tierbench.auction.Rows.Remark;
import tierbench.auction.Rows.Sale;
import tierbench.auction.Rows.SoldBy;

/** Where the auction's rows are kept. */
public interface Store {
  List<Named> categories();

  List<Named> regions();

  Optional<String> category(int id);

  Optional<String> region(int id);

  /** The open items of a category, those that end first on top. */
  List<FoundItem> inCategory(int category, int page, int size);

  List<FoundItem> inRegion(int category, int region, int page, int size);

  Optional<Item> itemForSale(int id);

  Optional<Item> oldItem(int id);

  Optional<String> itemName(int id);

  Optional<SoldBy> soldBy(int id);

  List<PlacedBid> bidsOn(int item);

  String nickname(int user);

  Optional<PublicUser> user(int id);

  List<Remark> commentsAbout(int user);

  Optional<Account> account(String nickname);

  Affairs affairs(int user);

  /** Whether a user has this nickname. */
  boolean isTaken(String nickname);

  /** Adds a user. Of two who register at once, the unique key refuses one. */
  int addUser(NewUser user);

  LocalDateTime registered(int user);

  /** Adds an item and takes the fee from its seller, atomically. */
  int addItem(NewItem item);

  Period period(int item);

  /** Adds a comment and its rating to that of whom it is about, atomically. */
  int addComment(int from, int to, int item, int rating, String comment);

  /** An item for sale, which nobody else changes until the transaction ends. */
  Optional<Biddable> lockForBid(int item);

  Optional<Sale> lockForPurchase(int item);

  Optional<Leader> leader(int item);

  int addBid(Bid bid);

  void raise(int item, int bids, BigDecimal price);

  int addPurchase(int buyer, int item, int qty);

  void take(int item, int qty);

  /** Takes all that is left by this purchase, which closes the auction as of a second before it. */
  void close(int item, int purchase);
}
