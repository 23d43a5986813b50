package tierbench.auction.web;

import jakarta.ejb.CreateException;
import java.rmi.RemoteException;
import tierbench.auction.ejb.Auction;
import tierbench.auction.ejb.AuctionHome;
import tierbench.common.Environment;
import tierbench.ejb.Container;
import tierbench.ejb.Refused;

/** The bean that answers the servlets: found once, and called by all of them at once. */
final class Beans {
  private final Auction auction;

  private Beans(Auction auction) {
    this.auction = auction;
  }

  static Beans find(Environment environment) {
    try {
      return new Beans(Container.of(environment).home("Auction", AuctionHome.class).create());
    } catch (RemoteException | CreateException e) {
      throw new IllegalStateException("the container has no bean for us", e);
    }
  }

  /** What is asked of a bean. */
  @FunctionalInterface
  interface Call<T> {
    T on(Auction auction) throws RemoteException, Refused;
  }

  <T> T ask(Call<T> call) {
    try {
      return call.on(auction);
    } catch (Refused refused) {
      throw refused.fault();
    } catch (RemoteException e) {
      throw new IllegalStateException("the bean has not answered", e);
    }
  }
}
