package tierbench.auction.cmp;

import jakarta.ejb.CreateException;
import jakarta.ejb.EJBException;
import jakarta.ejb.FinderException;
import jakarta.ejb.SessionBean;
import jakarta.ejb.SessionContext;
import java.io.Serial;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;
import tierbench.auction.ejb.Told;
import tierbench.auction.rules.Affairs;
import tierbench.auction.rules.Bid;
import tierbench.auction.rules.Bidding;
import tierbench.auction.rules.Comment;
import tierbench.auction.rules.FoundItem;
import tierbench.auction.rules.Item;
import tierbench.auction.rules.ItemRules;
import tierbench.auction.rules.Leader;
import tierbench.auction.rules.Named;
import tierbench.auction.rules.NewItem;
import tierbench.auction.rules.NewUser;
import tierbench.auction.rules.PlacedBid;
import tierbench.auction.rules.PublicUser;
import tierbench.auction.rules.Purchase;
import tierbench.auction.rules.Refusal;
import tierbench.auction.rules.SaleItem;
import tierbench.auction.rules.SoldBy;
import tierbench.common.Environment;
import tierbench.common.Fault;
import tierbench.common.Money;
import tierbench.common.Password;
import tierbench.common.data.Database;
import tierbench.common.data.Session;
import tierbench.ejb.Parcel;
import tierbench.ejb.Refused;

/**
 * The facade of the auction's entities: each interaction is a call and a transaction. Who changes
 * rows that others may change holds them first an item's or a user's, then the row of ids, so that
 * nobody waits for who waits for them. What is only asked goes over connections of its own, which
 * are taken after the transaction's.
 */
public class AuctionBean implements SessionBean {
  @Serial private static final long serialVersionUID = 1;

  /** The only row of ids. Its numbers are those of the rows that were loaded, and stay. */
  private static final int ROW_OF_IDS = 1;

  private transient Database database;
  private transient Entities entities;

  /** What is done to answer a call. */
  @FunctionalInterface
  private interface Business<T> {
    T answer(Queries queries) throws SQLException, FinderException, CreateException;
  }

  /** The names are ours, and so is the container. */
  @Override
  @SuppressWarnings("BanJNDI")
  public void setSessionContext(SessionContext context) {
    try {
      Object source = new InitialContext().lookup("java:comp/env/jdbc/queries");
      database = Database.behind((DataSource) source, Environment.ofProcess());
      entities = Entities.find();
    } catch (NamingException e) {
      throw new EJBException("a resource or a bean can't be found", e);
    }
  }

  public void ejbCreate() {}

  @Override
  public void ejbActivate() {}

  @Override
  public void ejbPassivate() {}

  @Override
  public void ejbRemove() {}

  private <T> T answer(Business<T> business) throws Refused {
    try (Session session = database.session()) {
      return business.answer(new Queries(session));
    } catch (Fault fault) {
      throw new Refused(fault);
    } catch (SQLException | FinderException | CreateException e) {
      throw new EJBException(e);
    }
  }

  private <T extends Record> Parcel<T> tell(Business<T> business) throws Refused {
    return new Parcel<>(answer(business));
  }

  public Parcel<Told.Names> browseCategories() throws Refused {
    return tell(queries -> new Told.Names(names(entities.categories())));
  }

  public Parcel<Told.Names> browseRegions() throws Refused {
    return tell(queries -> new Told.Names(names(entities.regions())));
  }

  public Parcel<Told.OfRegion> browseCategoriesInRegion(int region) throws Refused {
    return tell(queries -> new Told.OfRegion(region(region), names(entities.categories())));
  }

  private static List<Named> names(NamedHome home) throws FinderException {
    return home.findAll().stream().map(one -> new Named(one.getId(), one.getName())).toList();
  }

  private String region(int id) {
    return Lookup.named(entities.regions(), "region", id).getName();
  }

  private String category(int id) {
    return Lookup.named(entities.categories(), "category", id).getName();
  }

  public Parcel<Told.Found> searchItemsInCategory(int category, int before, int size)
      throws Refused {
    return tell(
        queries ->
            new Told.Found(category(category), found(queries.ofCategory(category, before, size))));
  }

  public Parcel<Told.FoundInRegion> searchItemsInRegion(
      int category, int region, int before, int size) throws Refused {
    return tell(
        queries ->
            new Told.FoundInRegion(
                category(category),
                region(region),
                found(queries.ofRegion(category, region, before, size))));
  }

  private List<FoundItem> found(List<Integer> ids) throws FinderException {
    List<FoundItem> found = new ArrayList<>(ids.size());
    for (int id : ids) {
      found.add(Values.found(entities.items().findByPrimaryKey(id)));
    }
    return found;
  }

  public Parcel<Told.ItemOfSeller> viewItem(int id) throws Refused {
    return tell(
        queries -> {
          Item item = Values.item(Lookup.item(entities, id), queries.now());
          return new Told.ItemOfSeller(item, nickname(item.seller()));
        });
  }

  private String nickname(int user) throws FinderException {
    return entities.users().findByPrimaryKey(user).getNickname();
  }

  public Parcel<Told.User> viewUserInfo(int id) throws Refused {
    return tell(
        queries -> {
          UserEntity user = Lookup.user(entities.users(), id);
          LocalDateTime registered = user.getCreated().toLocalDateTime();
          return new Told.User(
              new PublicUser(user.getNickname(), user.getRating(), registered),
              affairs(queries).remarks(id));
        });
  }

  private AffairsOf affairs(Queries queries) throws SQLException {
    return new AffairsOf(entities, queries, queries.now());
  }

  public Parcel<Told.History> viewBidHistory(int id) throws Refused {
    return tell(
        queries -> {
          String name = Lookup.item(entities, id).getName();
          List<PlacedBid> bids = new ArrayList<>();
          for (BidEntity bid : entities.bids().findOfItem(id)) {
            bids.add(
                new PlacedBid(
                    bid.getUser(),
                    nickname(bid.getUser()),
                    Money.of(bid.getAmount()),
                    bid.getQuantity(),
                    bid.getPlaced().toLocalDateTime()));
          }
          return new Told.History(name, bids);
        });
  }

  /** The id of the user who has this nickname and password. */
  private int logIn(String nickname, String password) {
    return Lookup.find(() -> entities.users().findByNickname(nickname))
        .filter(user -> Password.isRight(nickname, password, user.getPassword()))
        .orElseThrow(Refusal::wrongLogIn)
        .getId();
  }

  private static ItemEntity forSale(ItemHome home, int id) {
    return Lookup.find(() -> home.findByPrimaryKey(id))
        .orElseThrow(() -> Fault.unknown("item", id));
  }

  public Parcel<Told.ForSale> buyNow(int id, String nickname, String password) throws Refused {
    return tell(
        queries -> {
          int user = logIn(nickname, password);
          Item item = Values.item(forSale(entities.items(), id), queries.now());
          ItemRules.checkBuyer(item, user);
          return new Told.ForSale(user, item, nickname(item.seller()));
        });
  }

  public Parcel<Told.ForSale> putBid(int id, String nickname, String password) throws Refused {
    return tell(
        queries -> {
          int user = logIn(nickname, password);
          Item item = Values.item(forSale(entities.items(), id), queries.now());
          ItemRules.checkBidder(item, user);
          return new Told.ForSale(user, item, nickname(item.seller()));
        });
  }

  /** Keeps all others from giving ids until the transaction ends; returns the next of a table. */
  private int nextId(Queries queries, String table) throws FinderException, SQLException {
    entities.ids().findByPrimaryKey(ROW_OF_IDS);
    return queries.next(table);
  }

  public Parcel<Told.RecordedPurchase> storeBuyNow(Parcel<Purchase> parcel) throws Refused {
    Purchase purchase = parcel.content();
    return tell(
        queries -> {
          ItemEntity row = forSale(entities.lockedItems(), purchase.item());
          LocalDateTime now = queries.now();
          SaleItem item = Values.toBuy(row, now);
          ItemRules.checkPurchase(item, purchase);
          int id = nextId(queries, "buy_now");
          entities
              .purchases()
              .create(
                  id,
                  purchase.buyer(),
                  purchase.item(),
                  purchase.quantity(),
                  Values.timestamp(now));
          row.setQuantity(item.quantity() - purchase.quantity());
          if (purchase.quantity() == item.quantity()) {
            // The last copy closes the auction at once.
            row.setEnd(Values.timestamp(now.minusSeconds(1)));
          }
          return new Told.RecordedPurchase(id, item);
        });
  }

  public Parcel<Told.RecordedBid> storeBid(Parcel<Bid> parcel) throws Refused {
    Bid offer = parcel.content();
    return tell(
        queries -> {
          ItemEntity row = forSale(entities.lockedItems(), offer.item());
          LocalDateTime now = queries.now();
          ItemRules.checkBid(Values.toBidOn(row, now), offer);
          Bidding bidding = Bidding.settle(offer, leader(queries, offer.item()));
          int first = nextId(queries, "bids");
          int next = first;
          for (Bid bid : bidding.bids()) {
            entities
                .bids()
                .create(
                    next++,
                    bid.user(),
                    bid.item(),
                    bid.quantity(),
                    Values.decimal(bid.amount()),
                    Values.decimal(bid.most()),
                    Values.timestamp(now));
          }
          row.setBids(row.getBids() + bidding.bids().size());
          row.setHighestBid(Values.decimal(bidding.leading().amount()));
          return new Told.RecordedBid(first, bidding);
        });
  }

  private Optional<Leader> leader(Queries queries, int item) throws SQLException, FinderException {
    Optional<Integer> leading = queries.leading(item);
    if (leading.isEmpty()) {
      return Optional.empty();
    }
    BidEntity bid = entities.bids().findByPrimaryKey(leading.get());
    return Optional.of(new Leader(bid.getUser(), Money.of(bid.getMost()), bid.getQuantity()));
  }

  private SoldBy soldBy(int id) {
    ItemEntity item = Lookup.item(entities, id);
    return new SoldBy(id, item.getName(), item.getSeller());
  }

  public Parcel<Told.Sold> putComment(int id, int to, String nickname, String password)
      throws Refused {
    return tell(
        queries -> {
          int user = logIn(nickname, password);
          SoldBy item = soldBy(id);
          ItemRules.checkComment(item, user, to);
          return new Told.Sold(user, item, nickname(to));
        });
  }

  public Parcel<Told.RecordedComment> storeComment(Parcel<Comment> parcel) throws Refused {
    Comment comment = parcel.content();
    return tell(
        queries -> {
          SoldBy item = soldBy(comment.item());
          ItemRules.checkComment(item, comment.from(), comment.to());
          UserEntity about = entities.lockedUsers().findByPrimaryKey(comment.to());
          about.setRating(about.getRating() + comment.rating());
          int id = nextId(queries, "comments");
          entities
              .comments()
              .create(
                  id,
                  comment.from(),
                  comment.to(),
                  comment.item(),
                  comment.rating(),
                  Values.timestamp(queries.now()),
                  comment.text());
          return new Told.RecordedComment(id, item);
        });
  }

  public Parcel<Told.Seller> selectCategoryToSellItem(String nickname, String password)
      throws Refused {
    return tell(
        queries -> new Told.Seller(logIn(nickname, password), names(entities.categories())));
  }

  public String sellItemForm(int category) throws Refused {
    return answer(queries -> category(category));
  }

  public Parcel<Told.RecordedItem> registerItem(Parcel<NewItem> parcel, int seller) throws Refused {
    NewItem item = parcel.content();
    return tell(
        queries -> {
          String category = category(item.category());
          item.check();
          UserEntity payer = entities.lockedUsers().findByPrimaryKey(seller);
          payer.setBalance(payer.getBalance().subtract(Values.decimal(NewItem.FEE)));
          int id = nextId(queries, "items");
          LocalDateTime now = queries.now();
          LocalDateTime end = now.plusDays(item.days());
          entities
              .items()
              .create(
                  id,
                  item.name(),
                  item.description(),
                  Values.decimal(item.initialPrice()),
                  item.quantity(),
                  Values.decimal(item.reservePrice()),
                  Values.decimal(item.buyNow()),
                  0,
                  null,
                  Values.timestamp(now),
                  Values.timestamp(end),
                  seller,
                  item.category());
          return new Told.RecordedItem(id, category, now, end);
        });
  }

  public Parcel<Told.RecordedUser> registerUser(Parcel<NewUser> parcel) throws Refused {
    NewUser user = parcel.content();
    return tell(
        queries -> {
          String region =
              Lookup.find(() -> entities.regions().findByPrimaryKey(user.region()))
                  .orElseThrow(() -> Fault.parameter("region"))
                  .getName();
          // Nobody else registers before this one has: the nickname stays free once it is.
          int id = nextId(queries, "users");
          if (Lookup.find(() -> entities.users().findByNickname(user.nickname())).isPresent()) {
            throw Refusal.nicknameTaken(user.nickname());
          }
          LocalDateTime now = queries.now();
          entities
              .users()
              .create(
                  id,
                  user.firstname(),
                  user.lastname(),
                  user.nickname(),
                  user.passwordHash(),
                  user.email(),
                  0,
                  BigDecimal.ZERO,
                  Values.timestamp(now),
                  user.region());
          return new Told.RecordedUser(id, region, now);
        });
  }

  public Parcel<Affairs> aboutMe(String nickname, String password) throws Refused {
    return tell(
        queries -> {
          int user = logIn(nickname, password);
          return affairs(queries).user(user);
        });
  }
}
