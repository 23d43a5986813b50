package tierbench.ejb;

import java.util.List;

/** Finds all entities that have something in common. */
@FunctionalInterface
public interface Many<K, R extends Record> {
  List<Kept<R>> find(K key);

  /** Their rows. */
  default List<R> of(K key) {
    return find(key).stream().map(Kept::row).toList();
  }
}
