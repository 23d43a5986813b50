package tierbench.auction.entities;

import static tierbench.ejb.Found.maker;
import static tierbench.ejb.Found.many;
import static tierbench.ejb.Found.one;
import static tierbench.ejb.Found.oneToChange;

import tierbench.auction.entities.Entities.Bids;
import tierbench.auction.entities.Entities.Comments;
import tierbench.auction.entities.Entities.Items;
import tierbench.auction.entities.Entities.Names;
import tierbench.auction.entities.Entities.Purchases;
import tierbench.auction.entities.Entities.Side;
import tierbench.auction.entities.Entities.Users;
import tierbench.ejb.Found;
import tierbench.ejb.Homes;
import tierbench.ejb.LocalHome;
import tierbench.ejb.One;
import tierbench.ejb.OneToChange;

/** Entities as they are called from within their container: no call leaves it. */
public record Local(Homes homes) implements Side {
  @Override
  public Items items(String name) {
    LocalItems home = homes.home(name, LocalItems.class);
    return new Items(
        one(home::findByPrimaryKey, Found::near),
        many(home::findOfSeller, Found::near),
        maker(home::create));
  }

  @Override
  public OneToChange<Integer, ItemRow> lockedItems(String name) {
    return oneToChange(homes.home(name, LocalItems.class)::findByPrimaryKey, Found::near);
  }

  @Override
  public Users users(String name) {
    LocalUsers home = homes.home(name, LocalUsers.class);
    return new Users(
        one(home::findByPrimaryKey, Found::near),
        one(home::findByNickname, Found::near),
        maker(home::create));
  }

  @Override
  public OneToChange<Integer, UserRow> lockedUsers(String name) {
    return oneToChange(homes.home(name, LocalUsers.class)::findByPrimaryKey, Found::near);
  }

  @Override
  public Bids bids(String name) {
    LocalBids home = homes.home(name, LocalBids.class);
    return new Bids(
        one(home::findByPrimaryKey, Found::near),
        many(home::findOfItem, Found::near),
        many(home::findOfUser, Found::near),
        maker(home::create));
  }

  @Override
  public Comments comments(String name) {
    LocalComments home = homes.home(name, LocalComments.class);
    return new Comments(many(home::findAbout, Found::near), maker(home::create));
  }

  @Override
  public Purchases purchases(String name) {
    LocalPurchases home = homes.home(name, LocalPurchases.class);
    return new Purchases(many(home::findOfBuyer, Found::near), maker(home::create));
  }

  @Override
  public Names names(String name) {
    LocalNames home = homes.home(name, LocalNames.class);
    return new Names(
        one(home::findByPrimaryKey, Found::near), many(unused -> home.findAll(), Found::near));
  }

  /** Nobody finds that row but by its number, so its home is none of its own. */
  @Override
  @SuppressWarnings("unchecked")
  public One<Integer, IdsRow> ids(String name) {
    LocalHome<IdsRow> home = homes.home(name, LocalHome.class);
    return one(home::findByPrimaryKey, Found::near);
  }
}
