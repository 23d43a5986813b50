package tierbench.bookstore.ejb;

import java.rmi.RemoteException;
import tierbench.bookstore.rules.BookChange;
import tierbench.bookstore.rules.CartUpdate;
import tierbench.bookstore.rules.NewCustomer;
import tierbench.bookstore.rules.Order;
import tierbench.ejb.Parcel;
import tierbench.ejb.Refused;

/**
 * What servlets ask for: one call for each interaction, and one transaction. Only an order takes
 * two, since the bank is asked between them: no transaction is open meanwhile, which would hold the
 * cart and a connection for as long as the bank takes, and none is taken back for which the bank
 * has paid already. So servlets ask it. Forms, tokens and pages are the servlets' own, too.
 *
 * <p>A visitor's number chooses which books are promoted.
 */
public interface Interactions {
  Parcel<Told.Home> home(Parcel<Asked.Visitor> visitor) throws RemoteException, Refused;

  Parcel<Told.Listing> newProducts(String subject, int number) throws RemoteException, Refused;

  Parcel<Told.Listing> bestSellers(String subject, int number) throws RemoteException, Refused;

  Parcel<Told.Promoted> searchRequest(int number) throws RemoteException, Refused;

  Parcel<Told.Listing> searchByAuthor(String begin, int number) throws RemoteException, Refused;

  Parcel<Told.Listing> searchByTitle(String begin, int number) throws RemoteException, Refused;

  Parcel<Told.Listing> searchBySubject(String subject, int number) throws RemoteException, Refused;

  Parcel<Told.BookToBuy> productDetail(int book) throws RemoteException, Refused;

  Parcel<Told.Cart> shoppingCart(Parcel<Asked.Visitor> visitor, Parcel<CartUpdate> update)
      throws RemoteException, Refused;

  Parcel<Told.Countries> customerRegistration() throws RemoteException, Refused;

  Parcel<Told.Checkout> logInToBuy(String uname, String password, int cart)
      throws RemoteException, Refused;

  Parcel<Told.Checkout> registerToBuy(Parcel<NewCustomer> customer, int cart)
      throws RemoteException, Refused;

  /** The parts of an order that can be checked before it is paid. */
  Parcel<Told.ToOrder> toOrder(int customer, int cart, Parcel<Asked.Elsewhere> elsewhere)
      throws RemoteException, Refused;

  /**
   * Records an order for which the bank has authorised the payment, and returns its id. It is
   * refused if its cart was ordered or changed meanwhile.
   */
  int buyConfirm(Parcel<Order> order, String authorization) throws RemoteException, Refused;

  Parcel<Told.Last> orderDisplay(String uname, String password) throws RemoteException, Refused;

  Parcel<Told.BookToEdit> adminRequest(int book) throws RemoteException, Refused;

  /** The title of the book that was changed. */
  String adminConfirm(Parcel<BookChange> change) throws RemoteException, Refused;
}
