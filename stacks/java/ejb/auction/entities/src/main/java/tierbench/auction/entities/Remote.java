package tierbench.auction.entities;

import static tierbench.ejb.Found.maker;
import static tierbench.ejb.Found.many;
import static tierbench.ejb.Found.one;

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

/** Entities as they are called from anywhere: each call may go over the network. */
public record Remote(Homes homes) implements Side {
  @Override
  public Items items(String name) {
    RemoteItems home = homes.home(name, RemoteItems.class);
    return new Items(
        one(home::findByPrimaryKey, Remote::kept),
        many(home::findOfSeller, Remote::kept),
        maker(home::create));
  }

  @Override
  public Users users(String name) {
    RemoteUsers home = homes.home(name, RemoteUsers.class);
    return new Users(
        one(home::findByPrimaryKey, Remote::kept),
        one(home::findByNickname, Remote::kept),
        maker(home::create));
  }

  @Override
  public Bids bids(String name) {
    RemoteBids home = homes.home(name, RemoteBids.class);
    return new Bids(
        one(home::findByPrimaryKey, Remote::kept),
        many(home::findOfItem, Remote::kept),
        many(home::findOfUser, Remote::kept),
        maker(home::create));
  }

  @Override
  public Comments comments(String name) {
    RemoteComments home = homes.home(name, RemoteComments.class);
    return new Comments(many(home::findAbout, Remote::kept), maker(home::create));
  }

  @Override
  public Purchases purchases(String name) {
    RemotePurchases home = homes.home(name, RemotePurchases.class);
    return new Purchases(many(home::findOfBuyer, Remote::kept), maker(home::create));
  }

  @Override
  public Names names(String name) {
    RemoteNames home = homes.home(name, RemoteNames.class);
    return new Names(
        one(home::findByPrimaryKey, Remote::kept), many(unused -> home.findAll(), Remote::kept));
  }

  /** Nobody finds that row but by its number, so its home is none of its own. */
  @Override
  @SuppressWarnings("unchecked")
  public One<Integer, IdsRow> ids(String name) {
    RemoteHome<IdsRow> home = homes.home(name, RemoteHome.class);
    return one(home::findByPrimaryKey, Remote::kept);
  }

  private static <R extends Record> Kept<R> kept(RemoteEntity<R> entity) {
    return new Found<>(entity::row, entity::change, entity::remove);
  }
}
