package tierbench.auction.entities;

import jakarta.ejb.CreateException;
import jakarta.ejb.EJBException;
import jakarta.ejb.FinderException;
import jakarta.ejb.ObjectNotFoundException;
import java.rmi.RemoteException;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;
import tierbench.auction.entities.Entities.Maker;
import tierbench.auction.entities.Entities.Many;
import tierbench.auction.entities.Entities.One;
import tierbench.ejb.Parcel;

/** What calls of homes and entities come to, by whichever interfaces: rows, or a failure. */
record Found<R extends Record>(Reading<R> reading, Change<R> change) implements Kept<R> {
  /** A call of a home. */
  @FunctionalInterface
  interface Call<K, T> {
    T on(K key) throws FinderException, CreateException, RemoteException;
  }

  /** A call of an entity for its row. */
  @FunctionalInterface
  interface Reading<R extends Record> {
    Parcel<R> row() throws RemoteException;
  }

  /** A call of an entity that changes it. */
  @FunctionalInterface
  interface Change<R extends Record> {
    void to(Parcel<R> row) throws RemoteException;
  }

  @Override
  public R row() {
    try {
      return reading.row().content();
    } catch (RemoteException e) {
      throw new EJBException(e);
    }
  }

  @Override
  public void change(R row) {
    try {
      change.to(new Parcel<>(row));
    } catch (RemoteException e) {
      throw new EJBException(e);
    }
  }

  /** What finds one entity; how it is called then, {@code kept} knows. */
  static <K, E, R extends Record> One<K, R> one(Call<K, E> finder, Function<E, Kept<R>> kept) {
    return key -> {
      try {
        return Optional.of(kept.apply(finder.on(key)));
      } catch (ObjectNotFoundException e) {
        return Optional.empty();
      } catch (FinderException | CreateException | RemoteException e) {
        throw new EJBException(e);
      }
    };
  }

  static <E, R extends Record> Many<R> many(
      Call<Integer, Collection<E>> finder, Function<E, Kept<R>> kept) {
    return id -> answer(finder, id).stream().map(kept).map(Kept::row).toList();
  }

  static <E, R extends Record> Maker<R> maker(Call<Parcel<R>, E> creator) {
    return row -> answer(creator, new Parcel<>(row));
  }

  private static <K, T> T answer(Call<K, T> call, K key) {
    try {
      return call.on(key);
    } catch (FinderException | CreateException | RemoteException e) {
      throw new EJBException(e);
    }
  }
}
