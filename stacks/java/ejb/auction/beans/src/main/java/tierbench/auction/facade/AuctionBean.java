package tierbench.auction.facade;

import jakarta.ejb.SessionContext;
import java.io.Serial;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.Optional;
import tierbench.auction.ejb.Told;
import tierbench.auction.entities.BidRow;
import tierbench.auction.entities.CommentRow;
import tierbench.auction.entities.Design;
import tierbench.auction.entities.Entities;
import tierbench.auction.entities.EntityFacade;
import tierbench.auction.entities.ItemRow;
import tierbench.auction.entities.Local;
import tierbench.auction.entities.PurchaseRow;
import tierbench.auction.entities.Queries;
import tierbench.auction.entities.Remote;
import tierbench.auction.entities.UserRow;
import tierbench.auction.rules.Bid;
import tierbench.auction.rules.Bidding;
import tierbench.auction.rules.Comment;
import tierbench.auction.rules.ItemRules;
import tierbench.auction.rules.Leader;
import tierbench.auction.rules.NewItem;
import tierbench.auction.rules.NewUser;
import tierbench.auction.rules.Purchase;
import tierbench.auction.rules.Refusal;
import tierbench.auction.rules.SaleItem;
import tierbench.auction.rules.SoldBy;
import tierbench.common.Environment;
import tierbench.common.Fault;
import tierbench.common.Money;
import tierbench.common.data.Database;
import tierbench.common.data.Session;
import tierbench.ejb.EntityHandle;
import tierbench.ejb.Parcel;
import tierbench.ejb.References;
import tierbench.ejb.Refused;
import tierbench.ejb.Source;
import tierbench.ejb.Stateless;

/**
 * The session facade over the auction's entities: each interaction is a call and a transaction. To
 * avoid deadlocks, a change locks the row of an item or a user first, then the row of ids. Queries
 * use connections of their own, which are taken after the transaction's.
 */
public class AuctionBean extends EntityFacade implements Stateless {
  @Serial private static final long serialVersionUID = 1;

  /** The only row of ids. Its numbers are those of the rows that were loaded, and stay. */
  private static final int ROW_OF_IDS = 1;

  private transient Database database;
  private transient Entities entities;

  /** A change of rows. */
  @FunctionalInterface
  private interface Change<T> {
    T make(JdbcQueries queries) throws SQLException;
  }

  @Override
  public void setSessionContext(SessionContext context) {
    database = Source.named("queries");
    entities =
        Entities.from(
            Design.of(Environment.ofProcess()).hasRemoteFacade()
                ? new Remote(new References("remote/"), Remote.Values.ROW)
                : new Local(new References("local/")));
  }

  @Override
  protected Entities entities() {
    return entities;
  }

  @Override
  protected <T> T withQueries(Business<T> business) throws SQLException {
    return withJdbc(business::answer);
  }

  private <T> T withJdbc(Change<T> change) throws SQLException {
    try (Session session = database.session()) {
      return change.make(new JdbcQueries(session));
    }
  }

  private <T extends Record> Parcel<T> change(Change<T> change) throws Refused {
    return tell(unused -> withJdbc(change));
  }

  private EntityHandle<ItemRow> lockedItem(int id) {
    return entities.lockedItems().find(id).orElseThrow(() -> Fault.unknown("item", id));
  }

  /** Keeps all others from giving ids until the transaction ends; returns the next of a table. */
  private int nextId(JdbcQueries queries, String table) throws SQLException {
    if (entities.ids().find(ROW_OF_IDS).isEmpty()) {
      throw new IllegalStateException("there is no row of ids");
    }
    return queries.next(table);
  }

  @Override
  public Parcel<Told.RecordedPurchase> storeBuyNow(Parcel<Purchase> parcel) throws Refused {
    Purchase purchase = parcel.content();
    return change(
        queries -> {
          EntityHandle<ItemRow> kept = lockedItem(purchase.item());
          ItemRow row = kept.row();
          LocalDateTime now = queries.now();
          SaleItem item = row.toBuy(now);
          ItemRules.checkPurchase(item, purchase);
          int id = nextId(queries, "buy_now");
          entities
              .purchases()
              .newOnes()
              .make(
                  new PurchaseRow(id, purchase.buyer(), purchase.item(), purchase.quantity(), now));
          kept.change(row.bought(purchase.quantity(), now));
          return new Told.RecordedPurchase(id, item);
        });
  }

  @Override
  public Parcel<Told.RecordedBid> storeBid(Parcel<Bid> parcel) throws Refused {
    Bid offer = parcel.content();
    return change(
        queries -> {
          EntityHandle<ItemRow> kept = lockedItem(offer.item());
          ItemRow row = kept.row();
          LocalDateTime now = queries.now();
          ItemRules.checkBid(row.toBidOn(now), offer);
          Bidding bidding = Bidding.settle(offer, leader(queries, offer.item()));
          int first = nextId(queries, "bids");
          int next = first;
          for (Bid bid : bidding.bids()) {
            entities
                .bids()
                .newOnes()
                .make(
                    new BidRow(
                        next++,
                        bid.user(),
                        bid.item(),
                        bid.quantity(),
                        bid.amount(),
                        bid.most(),
                        now));
          }
          kept.change(row.bidOn(bidding.bids().size(), bidding.leading().amount()));
          return new Told.RecordedBid(first, bidding);
        });
  }

  private Optional<Leader> leader(Queries queries, int item) throws SQLException {
    return queries
        .leading(item)
        .map(entities.bids().byId()::row)
        .map(bid -> new Leader(bid.user(), bid.most(), bid.quantity()));
  }

  @Override
  public Parcel<Told.RecordedComment> storeComment(Parcel<Comment> parcel) throws Refused {
    Comment comment = parcel.content();
    return change(
        queries -> {
          SoldBy item = soldBy(comment.item());
          ItemRules.checkComment(item, comment.from(), comment.to());
          EntityHandle<UserRow> about = entities.lockedUsers().known(comment.to());
          about.change(about.row().rated(comment.rating()));
          int id = nextId(queries, "comments");
          entities
              .comments()
              .newOnes()
              .make(
                  new CommentRow(
                      id,
                      comment.from(),
                      comment.to(),
                      comment.item(),
                      comment.rating(),
                      queries.now(),
                      comment.text()));
          return new Told.RecordedComment(id, item);
        });
  }

  @Override
  public Parcel<Told.RecordedItem> registerItem(Parcel<NewItem> parcel, int seller) throws Refused {
    NewItem item = parcel.content();
    return change(
        queries -> {
          String category = category(item.category());
          item.check();
          EntityHandle<UserRow> payer = entities.lockedUsers().known(seller);
          payer.change(payer.row().charged(NewItem.FEE));
          int id = nextId(queries, "items");
          LocalDateTime now = queries.now();
          LocalDateTime end = now.plusDays(item.days());
          entities
              .items()
              .newOnes()
              .make(
                  new ItemRow(
                      id,
                      item.name(),
                      item.description(),
                      item.initialPrice(),
                      item.quantity(),
                      item.reservePrice(),
                      item.buyNow(),
                      0,
                      Optional.empty(),
                      now,
                      end,
                      seller,
                      item.category()));
          return new Told.RecordedItem(id, category, now, end);
        });
  }

  @Override
  public Parcel<Told.RecordedUser> registerUser(Parcel<NewUser> parcel) throws Refused {
    NewUser user = parcel.content();
    return change(
        queries -> {
          String region =
              entities
                  .regions()
                  .byId()
                  .find(user.region())
                  .orElseThrow(() -> Fault.parameter("region"))
                  .row()
                  .name();
          // Nobody else registers before this one has: the nickname stays free once it is.
          int id = nextId(queries, "users");
          if (entities.users().byNickname().find(user.nickname()).isPresent()) {
            throw Refusal.nicknameTaken(user.nickname());
          }
          LocalDateTime now = queries.now();
          entities
              .users()
              .newOnes()
              .make(
                  new UserRow(
                      id,
                      user.firstname(),
                      user.lastname(),
                      user.nickname(),
                      user.passwordHash(),
                      user.email(),
                      0,
                      new Money(0),
                      now,
                      user.region()));
          return new Told.RecordedUser(id, region, now);
        });
  }
}
