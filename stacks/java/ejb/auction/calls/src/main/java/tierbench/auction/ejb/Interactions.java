package tierbench.auction.ejb;

import java.rmi.RemoteException;
import tierbench.auction.rules.Affairs;
import tierbench.auction.rules.Bid;
import tierbench.auction.rules.Comment;
import tierbench.auction.rules.NewItem;
import tierbench.auction.rules.NewUser;
import tierbench.auction.rules.Purchase;
import tierbench.ejb.Parcel;
import tierbench.ejb.Refused;

/**
 * The business interface of the servlets: one call for each interaction. Forms, tokens and pages
 * belong to the servlets.
 */
public interface Interactions {
  Parcel<Told.Names> browseCategories() throws RemoteException, Refused;

  Parcel<Told.Names> browseRegions() throws RemoteException, Refused;

  Parcel<Told.OfRegion> browseCategoriesInRegion(int region) throws RemoteException, Refused;

  Parcel<Told.Found> searchItemsInCategory(int category, int before, int size)
      throws RemoteException, Refused;

  Parcel<Told.FoundInRegion> searchItemsInRegion(int category, int region, int before, int size)
      throws RemoteException, Refused;

  Parcel<Told.ItemOfSeller> viewItem(int item) throws RemoteException, Refused;

  Parcel<Told.User> viewUserInfo(int user) throws RemoteException, Refused;

  Parcel<Told.History> viewBidHistory(int item) throws RemoteException, Refused;

  Parcel<Told.ForSale> buyNow(int item, String nickname, String password)
      throws RemoteException, Refused;

  Parcel<Told.RecordedPurchase> storeBuyNow(Parcel<Purchase> purchase)
      throws RemoteException, Refused;

  Parcel<Told.ForSale> putBid(int item, String nickname, String password)
      throws RemoteException, Refused;

  Parcel<Told.RecordedBid> storeBid(Parcel<Bid> offer) throws RemoteException, Refused;

  Parcel<Told.Sold> putComment(int item, int to, String nickname, String password)
      throws RemoteException, Refused;

  Parcel<Told.RecordedComment> storeComment(Parcel<Comment> comment)
      throws RemoteException, Refused;

  Parcel<Told.Seller> selectCategoryToSellItem(String nickname, String password)
      throws RemoteException, Refused;

  /** The category's name. */
  String sellItemForm(int category) throws RemoteException, Refused;

  Parcel<Told.RecordedItem> registerItem(Parcel<NewItem> item, int seller)
      throws RemoteException, Refused;

  Parcel<Told.RecordedUser> registerUser(Parcel<NewUser> user) throws RemoteException, Refused;

  Parcel<Affairs> aboutMe(String nickname, String password) throws RemoteException, Refused;
}
