package tierbench.auction.web;

import jakarta.ejb.CreateException;
import java.rmi.RemoteException;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import tierbench.auction.ejb.Auction;
import tierbench.auction.ejb.AuctionHome;
import tierbench.auction.ejb.Told;
import tierbench.auction.entities.Entities;
import tierbench.auction.entities.EntityFacade;
import tierbench.auction.entities.Queries;
import tierbench.auction.entities.QueriesRemoteHome;
import tierbench.auction.entities.Remote;
import tierbench.auction.entities.Remote.Values;
import tierbench.auction.entities.RemoteQueries;
import tierbench.auction.rules.Bid;
import tierbench.auction.rules.Comment;
import tierbench.auction.rules.NewItem;
import tierbench.auction.rules.NewUser;
import tierbench.auction.rules.Purchase;
import tierbench.ejb.Homes;
import tierbench.ejb.Parcel;
import tierbench.ejb.Refused;

/**
 * The business in the servlets, which call entities: each finder, and each row or field, is a call
 * over the network and a transaction. No transaction spans several calls, so that one call of a
 * bean makes each change.
 */
final class EntityClient extends EntityFacade {
  private final Entities entities;
  private final Queries queries;
  private final Auction changes;

  private EntityClient(Entities entities, Queries queries, Auction changes) {
    this.entities = entities;
    this.queries = queries;
    this.changes = changes;
  }

  static EntityClient find(Homes homes, Values values) throws RemoteException, CreateException {
    return new EntityClient(
        Entities.from(new Remote(homes, values)),
        new Asked(homes.home("Queries", QueriesRemoteHome.class).create()),
        homes.home("Auction", AuctionHome.class).create());
  }

  @Override
  protected Entities entities() {
    return entities;
  }

  @Override
  protected <T> T withQueries(Business<T> business) throws SQLException {
    return business.answer(queries);
  }

  @Override
  public Parcel<Told.RecordedPurchase> storeBuyNow(Parcel<Purchase> purchase)
      throws RemoteException, Refused {
    return changes.storeBuyNow(purchase);
  }

  @Override
  public Parcel<Told.RecordedBid> storeBid(Parcel<Bid> offer) throws RemoteException, Refused {
    return changes.storeBid(offer);
  }

  @Override
  public Parcel<Told.RecordedComment> storeComment(Parcel<Comment> comment)
      throws RemoteException, Refused {
    return changes.storeComment(comment);
  }

  @Override
  public Parcel<Told.RecordedItem> registerItem(Parcel<NewItem> item, int seller)
      throws RemoteException, Refused {
    return changes.registerItem(item, seller);
  }

  @Override
  public Parcel<Told.RecordedUser> registerUser(Parcel<NewUser> user)
      throws RemoteException, Refused {
    return changes.registerUser(user);
  }

  /** Queries as a bean answers them. */
  private record Asked(RemoteQueries bean) implements Queries {
    /** A call of the bean. */
    @FunctionalInterface
    private interface Question<T> {
      T answer() throws RemoteException;
    }

    private static <T> T ask(Question<T> question) throws SQLException {
      try {
        return question.answer();
      } catch (RemoteException e) {
        throw new SQLException("the bean that asks the database has not answered", e);
      }
    }

    private static List<Integer> ids(Question<int[]> question) throws SQLException {
      return Arrays.stream(ask(question)).boxed().toList();
    }

    @Override
    public LocalDateTime now() throws SQLException {
      return ask(bean::now).content().time();
    }

    @Override
    public List<Integer> ofCategory(int category, int before, int size) throws SQLException {
      return ids(() -> bean.ofCategory(category, before, size));
    }

    @Override
    public List<Integer> ofRegion(int category, int region, int before, int size)
        throws SQLException {
      return ids(() -> bean.ofRegion(category, region, before, size));
    }

    @Override
    public Optional<Integer> leading(int item) throws SQLException {
      return ids(() -> bean.leading(item)).stream().findFirst();
    }
  }
}
