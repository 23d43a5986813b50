package tierbench.auction.session;

import jakarta.ejb.SessionContext;
import java.io.Serial;
import java.sql.SQLException;
import tierbench.auction.data.AffairsOf;
import tierbench.auction.data.Bids;
import tierbench.auction.data.Comments;
import tierbench.auction.data.Items;
import tierbench.auction.data.Listing;
import tierbench.auction.data.Period;
import tierbench.auction.data.Purchases;
import tierbench.auction.data.Users;
import tierbench.auction.ejb.Told;
import tierbench.auction.rules.Affairs;
import tierbench.auction.rules.Bid;
import tierbench.auction.rules.Comment;
import tierbench.auction.rules.Item;
import tierbench.auction.rules.ItemRules;
import tierbench.auction.rules.NewItem;
import tierbench.auction.rules.NewUser;
import tierbench.auction.rules.Purchase;
import tierbench.auction.rules.SoldBy;
import tierbench.common.Fault;
import tierbench.common.data.Database;
import tierbench.common.data.Session;
import tierbench.ejb.Answer;
import tierbench.ejb.Parcel;
import tierbench.ejb.Refused;
import tierbench.ejb.Source;
import tierbench.ejb.Stateless;

/**
 * The auction's business, statement by statement. Which calls are transactions, ejb-jar.xml says:
 * those that change more than one row.
 */
public class AuctionBean implements Stateless {
  @Serial private static final long serialVersionUID = 1;

  private transient Database database;

  /** The statements of a call. */
  @FunctionalInterface
  private interface Business<T> {
    T answer(Session session) throws SQLException;
  }

  @Override
  public void setSessionContext(SessionContext context) {
    database = Source.named("database");
  }

  private <T> T answer(Business<T> business) throws Refused {
    return Answer.of(
        () -> {
          try (Session session = database.session()) {
            return business.answer(session);
          }
        });
  }

  private <T extends Record> Parcel<T> tell(Business<T> business) throws Refused {
    return new Parcel<>(answer(business));
  }

  public Parcel<Told.Names> browseCategories() throws Refused {
    return tell(session -> new Told.Names(Listing.CATEGORIES.all(session)));
  }

  public Parcel<Told.Names> browseRegions() throws Refused {
    return tell(session -> new Told.Names(Listing.REGIONS.all(session)));
  }

  public Parcel<Told.OfRegion> browseCategoriesInRegion(int region) throws Refused {
    return tell(
        session ->
            new Told.OfRegion(
                Listing.REGIONS.name(session, region), Listing.CATEGORIES.all(session)));
  }

  public Parcel<Told.Found> searchItemsInCategory(int category, int before, int size)
      throws Refused {
    return tell(
        session ->
            new Told.Found(
                Listing.CATEGORIES.name(session, category),
                Items.ofCategory(session, category, before, size)));
  }

  public Parcel<Told.FoundInRegion> searchItemsInRegion(
      int category, int region, int before, int size) throws Refused {
    return tell(
        session ->
            new Told.FoundInRegion(
                Listing.CATEGORIES.name(session, category),
                Listing.REGIONS.name(session, region),
                Items.ofRegion(session, category, region, before, size)));
  }

  public Parcel<Told.ItemOfSeller> viewItem(int id) throws Refused {
    return tell(
        session -> {
          Item item = Items.any(session, id);
          return new Told.ItemOfSeller(item, Users.nickname(session, item.seller()));
        });
  }

  public Parcel<Told.User> viewUserInfo(int id) throws Refused {
    return tell(session -> new Told.User(Users.find(session, id), Comments.about(session, id)));
  }

  public Parcel<Told.History> viewBidHistory(int item) throws Refused {
    return tell(
        session -> new Told.History(Items.name(session, item), Bids.history(session, item)));
  }

  public Parcel<Told.ForSale> buyNow(int id, String nickname, String password) throws Refused {
    return tell(
        session -> {
          int user = Users.logIn(session, nickname, password);
          Item item = Items.forSale(session, id);
          ItemRules.checkBuyer(item, user);
          return new Told.ForSale(user, item, Users.nickname(session, item.seller()));
        });
  }

  public Parcel<Told.RecordedPurchase> storeBuyNow(Parcel<Purchase> purchase) throws Refused {
    return tell(
        session -> {
          Purchases.Recorded recorded = Purchases.record(session, purchase.content());
          return new Told.RecordedPurchase(recorded.id(), recorded.item());
        });
  }

  public Parcel<Told.ForSale> putBid(int id, String nickname, String password) throws Refused {
    return tell(
        session -> {
          int user = Users.logIn(session, nickname, password);
          Item item = Items.forSale(session, id);
          ItemRules.checkBidder(item, user);
          return new Told.ForSale(user, item, Users.nickname(session, item.seller()));
        });
  }

  public Parcel<Told.RecordedBid> storeBid(Parcel<Bid> offer) throws Refused {
    return tell(
        session -> {
          Bids.Recorded recorded = Bids.record(session, offer.content());
          return new Told.RecordedBid(recorded.id(), recorded.bidding());
        });
  }

  public Parcel<Told.Sold> putComment(int id, int to, String nickname, String password)
      throws Refused {
    return tell(
        session -> {
          int user = Users.logIn(session, nickname, password);
          SoldBy item = Items.soldBy(session, id);
          ItemRules.checkComment(item, user, to);
          return new Told.Sold(user, item, Users.nickname(session, to));
        });
  }

  public Parcel<Told.RecordedComment> storeComment(Parcel<Comment> parcel) throws Refused {
    Comment comment = parcel.content();
    return tell(
        session -> {
          // Neither the name nor the seller of an item ever changes: nothing needs to be locked.
          SoldBy item = Items.soldBy(session, comment.item());
          ItemRules.checkComment(item, comment.from(), comment.to());
          return new Told.RecordedComment(Comments.record(session, comment), item);
        });
  }

  public Parcel<Told.Seller> selectCategoryToSellItem(String nickname, String password)
      throws Refused {
    return tell(
        session ->
            new Told.Seller(
                Users.logIn(session, nickname, password), Listing.CATEGORIES.all(session)));
  }

  public String sellItemForm(int category) throws Refused {
    return answer(session -> Listing.CATEGORIES.name(session, category));
  }

  public Parcel<Told.RecordedItem> registerItem(Parcel<NewItem> parcel, int seller) throws Refused {
    NewItem item = parcel.content();
    return tell(
        session -> {
          String category = Listing.CATEGORIES.name(session, item.category());
          item.check();
          int id = Items.register(session, item, seller);
          Period period = Items.period(session, id);
          return new Told.RecordedItem(id, category, period.start(), period.end());
        });
  }

  public Parcel<Told.RecordedUser> registerUser(Parcel<NewUser> parcel) throws Refused {
    NewUser user = parcel.content();
    return tell(
        session -> {
          String region =
              Listing.REGIONS
                  .find(session, user.region())
                  .orElseThrow(() -> Fault.parameter("region"));
          int id = Users.register(session, user);
          return new Told.RecordedUser(id, region, Users.registered(session, id));
        });
  }

  public Parcel<Affairs> aboutMe(String nickname, String password) throws Refused {
    return tell(session -> AffairsOf.user(session, Users.logIn(session, nickname, password)));
  }
}
