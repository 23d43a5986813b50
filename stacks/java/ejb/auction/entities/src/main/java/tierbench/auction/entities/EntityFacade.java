package tierbench.auction.entities;

import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.List;
import tierbench.auction.ejb.Interactions;
import tierbench.auction.ejb.Told;
import tierbench.auction.entities.Entities.Names;
import tierbench.auction.rules.Affairs;
import tierbench.auction.rules.FoundItem;
import tierbench.auction.rules.Item;
import tierbench.auction.rules.ItemRules;
import tierbench.auction.rules.PlacedBid;
import tierbench.auction.rules.PublicUser;
import tierbench.auction.rules.Refusal;
import tierbench.auction.rules.SoldBy;
import tierbench.common.Fault;
import tierbench.common.Password;
import tierbench.ejb.Answer;
import tierbench.ejb.Parcel;
import tierbench.ejb.Refused;
import tierbench.ejb.Row;

/** The business that reads entities, by local or remote interfaces. */
public abstract class EntityFacade implements Interactions {
  /** The work of a call. */
  @FunctionalInterface
  protected interface Business<T> {
    T answer(Queries queries) throws SQLException;
  }

  protected abstract Entities entities();

  /** Runs work with queries that entities can't answer. */
  protected abstract <T> T withQueries(Business<T> business) throws SQLException;

  protected <T> T answer(Business<T> business) throws Refused {
    return Answer.of(() -> withQueries(business));
  }

  protected <T extends Record> Parcel<T> tell(Business<T> business) throws Refused {
    return new Parcel<>(answer(business));
  }

  @Override
  public Parcel<Told.Names> browseCategories() throws Refused {
    return tell(queries -> new Told.Names(entities().categories().all()));
  }

  @Override
  public Parcel<Told.Names> browseRegions() throws Refused {
    return tell(queries -> new Told.Names(entities().regions().all()));
  }

  @Override
  public Parcel<Told.OfRegion> browseCategoriesInRegion(int region) throws Refused {
    return tell(queries -> new Told.OfRegion(region(region), entities().categories().all()));
  }

  private String region(int id) {
    return name(entities().regions(), "region", id);
  }

  protected String category(int id) {
    return name(entities().categories(), "category", id);
  }

  private static String name(Names names, String kind, int id) {
    return names.byId().find(id).orElseThrow(() -> Fault.unknown(kind, id)).row().name();
  }

  @Override
  public Parcel<Told.Found> searchItemsInCategory(int category, int before, int size)
      throws Refused {
    return tell(
        queries ->
            new Told.Found(category(category), found(queries.ofCategory(category, before, size))));
  }

  @Override
  public Parcel<Told.FoundInRegion> searchItemsInRegion(
      int category, int region, int before, int size) throws Refused {
    return tell(
        queries ->
            new Told.FoundInRegion(
                category(category),
                region(region),
                found(queries.ofRegion(category, region, before, size))));
  }

  private List<FoundItem> found(List<Integer> ids) {
    return ids.stream().map(id -> entities().items().byId().row(id).found()).toList();
  }

  @Override
  public Parcel<Told.ItemOfSeller> viewItem(int id) throws Refused {
    return tell(
        queries -> {
          Item item = any(id).shown(queries.now());
          return new Told.ItemOfSeller(item, nickname(item.seller()));
        });
  }

  /** An item, however old. */
  private ItemFields any(int id) {
    return entities()
        .items()
        .byId()
        .find(id)
        .or(() -> entities().oldItems().byId().find(id))
        .orElseThrow(() -> Fault.unknown("item", id))
        .row();
  }

  private String nickname(int user) {
    return entities().users().byId().row(user).nickname();
  }

  @Override
  public Parcel<Told.User> viewUserInfo(int id) throws Refused {
    return tell(
        queries -> {
          UserFields user =
              entities().users().byId().find(id).orElseThrow(() -> Fault.unknown("user", id)).row();
          return new Told.User(
              new PublicUser(user.nickname(), user.rating(), user.created()),
              affairs(queries).remarks(id));
        });
  }

  private AffairsOf affairs(Queries queries) throws SQLException {
    return new AffairsOf(entities(), queries, queries.now());
  }

  @Override
  public Parcel<Told.History> viewBidHistory(int id) throws Refused {
    return tell(
        queries -> {
          String name = any(id).name();
          List<BidFields> bids = entities().bids().ofItem().of(id);
          return new Told.History(name, bids.stream().map(this::placed).toList());
        });
  }

  private PlacedBid placed(BidFields bid) {
    return new PlacedBid(
        bid.user(), nickname(bid.user()), bid.amount(), bid.quantity(), bid.placed());
  }

  /** The id of the user with this nickname and password. */
  private int logIn(String nickname, String password) {
    return entities()
        .users()
        .byNickname()
        .find(nickname)
        .map(Row::row)
        .filter(user -> Password.isRight(nickname, password, user.password()))
        .orElseThrow(Refusal::wrongLogIn)
        .id();
  }

  private Item forSale(int id, LocalDateTime now) {
    return entities()
        .items()
        .byId()
        .find(id)
        .orElseThrow(() -> Fault.unknown("item", id))
        .row()
        .shown(now);
  }

  @Override
  public Parcel<Told.ForSale> buyNow(int id, String nickname, String password) throws Refused {
    return tell(
        queries -> {
          int user = logIn(nickname, password);
          Item item = forSale(id, queries.now());
          ItemRules.checkBuyer(item, user);
          return new Told.ForSale(user, item, nickname(item.seller()));
        });
  }

  @Override
  public Parcel<Told.ForSale> putBid(int id, String nickname, String password) throws Refused {
    return tell(
        queries -> {
          int user = logIn(nickname, password);
          Item item = forSale(id, queries.now());
          ItemRules.checkBidder(item, user);
          return new Told.ForSale(user, item, nickname(item.seller()));
        });
  }

  /** Neither the name nor the seller of an item ever changes. */
  protected SoldBy soldBy(int id) {
    return any(id).soldBy();
  }

  @Override
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

  @Override
  public Parcel<Told.Seller> selectCategoryToSellItem(String nickname, String password)
      throws Refused {
    return tell(
        queries -> new Told.Seller(logIn(nickname, password), entities().categories().all()));
  }

  @Override
  public String sellItemForm(int category) throws Refused {
    return answer(queries -> category(category));
  }

  @Override
  public Parcel<Affairs> aboutMe(String nickname, String password) throws Refused {
    return tell(
        queries -> {
          int user = logIn(nickname, password);
          return affairs(queries).user(user);
        });
  }
}
