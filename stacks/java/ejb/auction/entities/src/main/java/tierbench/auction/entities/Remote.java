package tierbench.auction.entities;

import static tierbench.ejb.Found.maker;
import static tierbench.ejb.Found.many;
import static tierbench.ejb.Found.one;
import static tierbench.ejb.Found.oneToChange;

import jakarta.ejb.EJBObject;
import java.util.function.Function;
import tierbench.auction.entities.Entities.Bids;
import tierbench.auction.entities.Entities.Comments;
import tierbench.auction.entities.Entities.Items;
import tierbench.auction.entities.Entities.Names;
import tierbench.auction.entities.Entities.Purchases;
import tierbench.auction.entities.Entities.Side;
import tierbench.auction.entities.Entities.Users;
import tierbench.ejb.Found;
import tierbench.ejb.Homes;
import tierbench.ejb.Kept;
import tierbench.ejb.One;
import tierbench.ejb.OneToChange;
import tierbench.ejb.Row;

/** Entities as they are called from anywhere: each call may go over the network. */
public record Remote(Homes homes, Values values) implements Side {
  /** What an entity is asked for by who shows it. */
  public enum Values {
    /** Its row. */
    ROW,
    /** Each of the fields that are shown. */
    GETTERS
  }

  @Override
  public Items items(String name) {
    RemoteItems home = homes.home(name, RemoteItems.class);
    Function<RemoteItem, Row<? extends ItemFields>> reader =
        reader(RemoteItem.class, ItemFields.class, Remote::kept);
    return new Items(
        one(home::findByPrimaryKey, reader), many(home::findOfSeller, reader), maker(home::create));
  }

  @Override
  public OneToChange<Integer, ItemRow> lockedItems(String name) {
    return oneToChange(homes.home(name, RemoteItems.class)::findByPrimaryKey, Remote::kept);
  }

  @Override
  public Users users(String name) {
    RemoteUsers home = homes.home(name, RemoteUsers.class);
    Function<RemoteUser, Row<? extends UserFields>> reader =
        reader(RemoteUser.class, UserFields.class, Remote::kept);
    return new Users(
        one(home::findByPrimaryKey, reader),
        one(home::findByNickname, reader),
        maker(home::create));
  }

  @Override
  public OneToChange<Integer, UserRow> lockedUsers(String name) {
    return oneToChange(homes.home(name, RemoteUsers.class)::findByPrimaryKey, Remote::kept);
  }

  @Override
  public Bids bids(String name) {
    RemoteBids home = homes.home(name, RemoteBids.class);
    Function<RemoteBid, Row<? extends BidFields>> reader =
        reader(RemoteBid.class, BidFields.class, Remote::kept);
    return new Bids(
        one(home::findByPrimaryKey, reader),
        many(home::findOfItem, reader),
        many(home::findOfUser, reader),
        maker(home::create));
  }

  @Override
  public Comments comments(String name) {
    RemoteComments home = homes.home(name, RemoteComments.class);
    Function<RemoteComment, Row<? extends CommentFields>> reader =
        reader(RemoteComment.class, CommentFields.class, Remote::kept);
    return new Comments(many(home::findAbout, reader), maker(home::create));
  }

  @Override
  public Purchases purchases(String name) {
    RemotePurchases home = homes.home(name, RemotePurchases.class);
    Function<RemotePurchase, Row<? extends PurchaseFields>> reader =
        reader(RemotePurchase.class, PurchaseFields.class, Remote::kept);
    return new Purchases(many(home::findOfBuyer, reader), maker(home::create));
  }

  @Override
  public Names names(String name) {
    RemoteNames home = homes.home(name, RemoteNames.class);
    Function<RemoteNamed, Row<? extends NamedFields>> reader =
        reader(RemoteNamed.class, NamedFields.class, Remote::kept);
    return new Names(one(home::findByPrimaryKey, reader), many(unused -> home.findAll(), reader));
  }

  @Override
  public One<Integer, IdsRow> ids(String name) {
    return one(homes.home(name, RemoteIds.class)::findByPrimaryKey, Remote::kept);
  }

  private <E extends EJBObject, V> Function<E, Row<? extends V>> reader(
      Class<E> entity, Class<V> fields, Function<E, Row<? extends V>> atOnce) {
    if (values == Values.ROW) {
      return atOnce;
    }
    Getters<V> getters = Getters.of(entity, fields);
    return found -> () -> getters.row(found);
  }

  private static <R extends Record> Kept<R> kept(RemoteEntity<R> entity) {
    return new Found<>(entity::row, entity::change, entity::remove);
  }
}
