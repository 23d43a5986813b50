package tierbench.ejb;

import java.util.Optional;

/** Finds one entity by a unique key, to read it. */
@FunctionalInterface
public interface Finder<K, V> {
  Optional<Row<V>> find(K key);

  /** The row of an entity that another row refers to, which must exist. */
  default V row(K key) {
    return find(key)
        .orElseThrow(() -> new IllegalStateException("there is nothing for " + key))
        .row();
  }
}
