package tierbench.ejb;

import java.util.List;

/** Finds the rows of all entities with a key. */
@FunctionalInterface
public interface ListFinder<K, V> {
  List<V> of(K key);
}
