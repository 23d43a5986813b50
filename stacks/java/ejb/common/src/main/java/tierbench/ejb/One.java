package tierbench.ejb;

import java.util.Optional;

/** Finds an entity by what only one of its kind has. */
@FunctionalInterface
public interface One<K, V> {
  Optional<Row<V>> find(K key);

  /** The row of one that another row refers to. */
  default V row(K key) {
    return find(key)
        .orElseThrow(() -> new IllegalStateException("there is nothing for " + key))
        .row();
  }
}
