package tierbench.ejb;

import java.util.List;

/** Finds the rows of all entities that have something in common. */
@FunctionalInterface
public interface Many<K, V> {
  List<V> of(K key);
}
