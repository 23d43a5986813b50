package tierbench.auction.entities;

import static tierbench.auction.entities.Found.maker;
import static tierbench.auction.entities.Found.many;
import static tierbench.auction.entities.Found.one;

import tierbench.auction.entities.Entities.Bids;
import tierbench.auction.entities.Entities.Comments;
import tierbench.auction.entities.Entities.Items;
import tierbench.auction.entities.Entities.Names;
import tierbench.auction.entities.Entities.One;
import tierbench.auction.entities.Entities.Purchases;
import tierbench.auction.entities.Entities.Side;
import tierbench.auction.entities.Entities.Users;
import tierbench.ejb.Homes;

/** Entities as they are called from within their container: no call leaves it. */
public record Local(Homes homes) implements Side {
  @Override
  public Items items(String name) {
    LocalItems home = homes.home(name, LocalItems.class);
    return new Items(
        one(home::findByPrimaryKey, Local::kept),
        many(home::findOfSeller, Local::kept),
        maker(home::create));
  }

  @Override
  public Users users(String name) {
    LocalUsers home = homes.home(name, LocalUsers.class);
    return new Users(
        one(home::findByPrimaryKey, Local::kept),
        one(home::findByNickname, Local::kept),
        maker(home::create));
  }

  @Override
  public Bids bids(String name) {
    LocalBids home = homes.home(name, LocalBids.class);
    return new Bids(
        one(home::findByPrimaryKey, Local::kept),
        many(home::findOfItem, Local::kept),
        many(home::findOfUser, Local::kept),
        maker(home::create));
  }

  @Override
  public Comments comments(String name) {
    LocalComments home = homes.home(name, LocalComments.class);
    return new Comments(many(home::findAbout, Local::kept), maker(home::create));
  }

  @Override
  public Purchases purchases(String name) {
    LocalPurchases home = homes.home(name, LocalPurchases.class);
    return new Purchases(many(home::findOfBuyer, Local::kept), maker(home::create));
  }

  @Override
  public Names names(String name) {
    LocalNames home = homes.home(name, LocalNames.class);
    return new Names(
        one(home::findByPrimaryKey, Local::kept), many(unused -> home.findAll(), Local::kept));
  }

  /** Nobody finds that row but by its number, so its home is none of its own. */
  @Override
  @SuppressWarnings("unchecked")
  public One<Integer, IdsRow> ids(String name) {
    LocalHome<IdsRow> home = homes.home(name, LocalHome.class);
    return one(home::findByPrimaryKey, Local::kept);
  }

  private static <R extends Record> Kept<R> kept(LocalEntity<R> entity) {
    return new Found<>(entity::row, entity::change);
  }
}
