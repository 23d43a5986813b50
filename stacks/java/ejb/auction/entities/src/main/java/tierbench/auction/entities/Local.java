package tierbench.auction.entities;

import static tierbench.ejb.Found.finder;
import static tierbench.ejb.Found.listFinder;
import static tierbench.ejb.Found.maker;
import static tierbench.ejb.Found.updateFinder;

import tierbench.auction.entities.Entities.Bids;
import tierbench.auction.entities.Entities.Comments;
import tierbench.auction.entities.Entities.Items;
import tierbench.auction.entities.Entities.Names;
import tierbench.auction.entities.Entities.Purchases;
import tierbench.auction.entities.Entities.Side;
import tierbench.auction.entities.Entities.Users;
import tierbench.ejb.Finder;
import tierbench.ejb.Found;
import tierbench.ejb.Homes;
import tierbench.ejb.LocalHome;
import tierbench.ejb.UpdateFinder;

/** Entities by their local interfaces: no call leaves the container. */
public record Local(Homes homes) implements Side {
  @Override
  public Items items(String name) {
    ItemLocalHome home = homes.home(name, ItemLocalHome.class);
    return new Items(
        finder(home::findByPrimaryKey, Found::near),
        listFinder(home::findOfSeller, Found::near),
        maker(home::create));
  }

  @Override
  public UpdateFinder<Integer, ItemRow> lockedItems(String name) {
    return updateFinder(homes.home(name, ItemLocalHome.class)::findByPrimaryKey, Found::near);
  }

  @Override
  public Users users(String name) {
    UserLocalHome home = homes.home(name, UserLocalHome.class);
    return new Users(
        finder(home::findByPrimaryKey, Found::near),
        finder(home::findByNickname, Found::near),
        maker(home::create));
  }

  @Override
  public UpdateFinder<Integer, UserRow> lockedUsers(String name) {
    return updateFinder(homes.home(name, UserLocalHome.class)::findByPrimaryKey, Found::near);
  }

  @Override
  public Bids bids(String name) {
    BidLocalHome home = homes.home(name, BidLocalHome.class);
    return new Bids(
        finder(home::findByPrimaryKey, Found::near),
        listFinder(home::findOfItem, Found::near),
        listFinder(home::findOfUser, Found::near),
        maker(home::create));
  }

  @Override
  public Comments comments(String name) {
    CommentLocalHome home = homes.home(name, CommentLocalHome.class);
    return new Comments(listFinder(home::findAbout, Found::near), maker(home::create));
  }

  @Override
  public Purchases purchases(String name) {
    PurchaseLocalHome home = homes.home(name, PurchaseLocalHome.class);
    return new Purchases(listFinder(home::findOfBuyer, Found::near), maker(home::create));
  }

  @Override
  public Names names(String name) {
    NamedLocalHome home = homes.home(name, NamedLocalHome.class);
    return new Names(
        finder(home::findByPrimaryKey, Found::near),
        listFinder(unused -> home.findAll(), Found::near));
  }

  /** The row is found by its primary key alone, so that it needs no home interface of its own. */
  @Override
  @SuppressWarnings("unchecked")
  public Finder<Integer, IdsRow> ids(String name) {
    LocalHome<IdsRow> home = homes.home(name, LocalHome.class);
    return finder(home::findByPrimaryKey, Found::near);
  }
}
