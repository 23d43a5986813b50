package tierbench.auction.entities;

import static tierbench.ejb.Found.finder;
import static tierbench.ejb.Found.listFinder;
import static tierbench.ejb.Found.maker;
import static tierbench.ejb.Found.updateFinder;

import jakarta.ejb.EJBObject;
import java.util.function.Function;
import tierbench.auction.entities.Entities.Bids;
import tierbench.auction.entities.Entities.Comments;
import tierbench.auction.entities.Entities.Items;
import tierbench.auction.entities.Entities.Names;
import tierbench.auction.entities.Entities.Purchases;
import tierbench.auction.entities.Entities.Side;
import tierbench.auction.entities.Entities.Users;
import tierbench.ejb.EntityHandle;
import tierbench.ejb.Finder;
import tierbench.ejb.Found;
import tierbench.ejb.Homes;
import tierbench.ejb.Row;
import tierbench.ejb.UpdateFinder;

/** Entities by their remote interfaces: each call may go over the network. */
public record Remote(Homes homes, Values values) implements Side {
  /** The calls by which an entity's state is read. */
  public enum Values {
    /** Its row. */
    ROW,
    /** Each of the fields that are shown. */
    GETTERS
  }

  @Override
  public Items items(String name) {
    ItemRemoteHome home = homes.home(name, ItemRemoteHome.class);
    Function<RemoteItem, Row<? extends ItemFields>> reader =
        reader(RemoteItem.class, ItemFields.class, Remote::kept);
    return new Items(
        finder(home::findByPrimaryKey, reader),
        listFinder(home::findOfSeller, reader),
        maker(home::create));
  }

  @Override
  public UpdateFinder<Integer, ItemRow> lockedItems(String name) {
    return updateFinder(homes.home(name, ItemRemoteHome.class)::findByPrimaryKey, Remote::kept);
  }

  @Override
  public Users users(String name) {
    UserRemoteHome home = homes.home(name, UserRemoteHome.class);
    Function<RemoteUser, Row<? extends UserFields>> reader =
        reader(RemoteUser.class, UserFields.class, Remote::kept);
    return new Users(
        finder(home::findByPrimaryKey, reader),
        finder(home::findByNickname, reader),
        maker(home::create));
  }

  @Override
  public UpdateFinder<Integer, UserRow> lockedUsers(String name) {
    return updateFinder(homes.home(name, UserRemoteHome.class)::findByPrimaryKey, Remote::kept);
  }

  @Override
  public Bids bids(String name) {
    BidRemoteHome home = homes.home(name, BidRemoteHome.class);
    Function<RemoteBid, Row<? extends BidFields>> reader =
        reader(RemoteBid.class, BidFields.class, Remote::kept);
    return new Bids(
        finder(home::findByPrimaryKey, reader),
        listFinder(home::findOfItem, reader),
        listFinder(home::findOfUser, reader),
        maker(home::create));
  }

  @Override
  public Comments comments(String name) {
    CommentRemoteHome home = homes.home(name, CommentRemoteHome.class);
    Function<RemoteComment, Row<? extends CommentFields>> reader =
        reader(RemoteComment.class, CommentFields.class, Remote::kept);
    return new Comments(listFinder(home::findAbout, reader), maker(home::create));
  }

  @Override
  public Purchases purchases(String name) {
    PurchaseRemoteHome home = homes.home(name, PurchaseRemoteHome.class);
    Function<RemotePurchase, Row<? extends PurchaseFields>> reader =
        reader(RemotePurchase.class, PurchaseFields.class, Remote::kept);
    return new Purchases(listFinder(home::findOfBuyer, reader), maker(home::create));
  }

  @Override
  public Names names(String name) {
    NamedRemoteHome home = homes.home(name, NamedRemoteHome.class);
    Function<RemoteNamed, Row<? extends NamedFields>> reader =
        reader(RemoteNamed.class, NamedFields.class, Remote::kept);
    return new Names(
        finder(home::findByPrimaryKey, reader), listFinder(unused -> home.findAll(), reader));
  }

  @Override
  public Finder<Integer, IdsRow> ids(String name) {
    return finder(homes.home(name, IdsRemoteHome.class)::findByPrimaryKey, Remote::kept);
  }

  private <E extends EJBObject, V> Function<E, Row<? extends V>> reader(
      Class<E> entity, Class<V> fields, Function<E, Row<? extends V>> atOnce) {
    if (values == Values.ROW) {
      return atOnce;
    }
    Getters<V> getters = Getters.of(entity, fields);
    return found -> () -> getters.row(found);
  }

  private static <R extends Record> EntityHandle<R> kept(RemoteEntity<R> entity) {
    return new Found<>(entity::row, entity::change, entity::remove);
  }
}
