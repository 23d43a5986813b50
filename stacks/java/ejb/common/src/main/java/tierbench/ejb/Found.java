package tierbench.ejb;

import jakarta.ejb.CreateException;
import jakarta.ejb.EJBException;
import jakarta.ejb.FinderException;
import jakarta.ejb.ObjectNotFoundException;
import jakarta.ejb.RemoveException;
import java.rmi.RemoteException;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;

/** Calls of homes and entities by any interfaces, with their failures as EJBException. */
public record Found<R extends Record>(Reading<R> reading, Change<R> change, Removal removal)
    implements EntityHandle<R> {
  /** A call of a home. */
  @FunctionalInterface
  public interface Call<K, T> {
    T on(K key) throws FinderException, CreateException, RemoteException;
  }

  /** A call of an entity for its row. */
  @FunctionalInterface
  public interface Reading<R extends Record> {
    Parcel<R> row() throws RemoteException;
  }

  /** A call of an entity that changes it. */
  @FunctionalInterface
  public interface Change<R extends Record> {
    void to(Parcel<R> row) throws RemoteException;
  }

  /** A call of an entity that removes it and its row. */
  @FunctionalInterface
  public interface Removal {
    void take() throws RemoveException, RemoteException;
  }

  /** An entity in the same container. */
  public static <R extends Record> EntityHandle<R> near(LocalEntity<R> entity) {
    return new Found<>(entity::row, entity::change, entity::remove);
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

  @Override
  public void remove() {
    try {
      removal.take();
    } catch (RemoveException | RemoteException e) {
      throw new EJBException(e);
    }
  }

  /** A finder of one entity; {@code reader} reads its row. */
  public static <K, E, V> Finder<K, V> finder(
      Call<K, E> finder, Function<E, Row<? extends V>> reader) {
    return key -> perhaps(finder, key).map(found -> (Row<V>) reader.apply(found)::row);
  }

  /** A finder of one entity for update; {@code kept} calls it. */
  public static <K, E, R extends Record> UpdateFinder<K, R> updateFinder(
      Call<K, E> finder, Function<E, EntityHandle<R>> kept) {
    return key -> perhaps(finder, key).map(kept);
  }

  public static <K, E, V> ListFinder<K, V> listFinder(
      Call<K, Collection<E>> finder, Function<E, Row<? extends V>> reader) {
    return key -> answer(finder, key).stream().<V>map(found -> reader.apply(found).row()).toList();
  }

  public static <K, E, R extends Record> ListUpdateFinder<K, R> listUpdateFinder(
      Call<K, Collection<E>> finder, Function<E, EntityHandle<R>> kept) {
    return key -> answer(finder, key).stream().map(kept).toList();
  }

  public static <E, R extends Record> Maker<R> maker(Call<Parcel<R>, E> creator) {
    return row -> answer(creator, new Parcel<>(row));
  }

  private static <K, E> Optional<E> perhaps(Call<K, E> finder, K key) {
    try {
      return Optional.of(finder.on(key));
    } catch (ObjectNotFoundException e) {
      return Optional.empty();
    } catch (FinderException | CreateException | RemoteException e) {
      throw new EJBException(e);
    }
  }

  private static <K, T> T answer(Call<K, T> call, K key) {
    try {
      return call.on(key);
    } catch (FinderException | CreateException | RemoteException e) {
      throw new EJBException(e);
    }
  }
}
