package tierbench.ejb;

import java.rmi.RemoteException;

/** What answers the servlets with beans: found once, and called by all of them at once. */
public record Beans<B>(B facade) {
  /** What is asked. */
  @FunctionalInterface
  public interface Call<B, T> {
    T on(B facade) throws RemoteException, Refused;
  }

  public <T> T ask(Call<B, T> call) {
    try {
      return call.on(facade);
    } catch (Refused refused) {
      throw refused.fault();
    } catch (RemoteException e) {
      throw new IllegalStateException("the bean has not answered", e);
    }
  }
}
