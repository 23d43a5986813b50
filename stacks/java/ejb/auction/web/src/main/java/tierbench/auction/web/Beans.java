package tierbench.auction.web;

import jakarta.ejb.CreateException;
import java.rmi.RemoteException;
import tierbench.auction.ejb.AuctionHome;
import tierbench.auction.ejb.Interactions;
import tierbench.common.Environment;
import tierbench.ejb.Container;
import tierbench.ejb.Refused;

/** What answers the servlets with beans: found once, and called by all of them at once. */
final class Beans {
  private final Interactions auction;

  private Beans(Interactions auction) {
    this.auction = auction;
  }

  /** Either one bean answers all, or entities are put together here. */
  static Beans find(Environment environment) {
    Container container = Container.of(environment);
    boolean isDirect = "entities".equals(environment.variables().get("TIERBENCH_FACTOR_ASKED"));
    try {
      return new Beans(
          isDirect
              ? Direct.find(container)
              : container.home("Auction", AuctionHome.class).create());
    } catch (RemoteException | CreateException e) {
      throw new IllegalStateException("the container has no bean for us", e);
    }
  }

  /** What is asked. */
  @FunctionalInterface
  interface Call<T> {
    T on(Interactions auction) throws RemoteException, Refused;
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
