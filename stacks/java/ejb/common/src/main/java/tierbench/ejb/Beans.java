package tierbench.ejb;

import java.rmi.RemoteException;

/** The bean that servlets call: found once, and called concurrently. */
public record Beans<B>(B facade) {
  /** A question to the facade. */
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
