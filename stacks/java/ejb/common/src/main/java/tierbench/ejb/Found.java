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

/** What calls of homes and entities come to, by whichever interfaces: rows, or a failure. */
public record Found<R extends Record>(Reading<R> reading, Change<R> change, Removal removal)
    implements Kept<R> {
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

  /** A call of an entity that removes it, and with it its row. */
  @FunctionalInterface
  public interface Removal {
    void take() throws RemoveException, RemoteException;
  }

  /** An entity in the same container. */
  public static <R extends Record> Kept<R> near(LocalEntity<R> entity) {
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

  /** What finds one entity; how its row is read then, {@code reader} knows. */
  public static <K, E, V> One<K, V> one(Call<K, E> finder, Function<E, Row<? extends V>> reader) {
    return key -> perhaps(finder, key).map(found -> (Row<V>) reader.apply(found)::row);
  }

  /** What finds one entity to change it; how it is called then, {@code kept} knows. */
  public static <K, E, R extends Record> OneToChange<K, R> oneToChange(
      Call<K, E> finder, Function<E, Kept<R>> kept) {
    return key -> perhaps(finder, key).map(kept);
  }

  public static <K, E, V> Many<K, V> many(
      Call<K, Collection<E>> finder, Function<E, Row<? extends V>> reader) {
    return key -> answer(finder, key).stream().<V>map(found -> reader.apply(found).row()).toList();
  }

  public static <K, E, R extends Record> ManyToChange<K, R> manyToChange(
      Call<K, Collection<E>> finder, Function<E, Kept<R>> kept) {
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
