package tierbench.ejb;

import java.util.Optional;

/** Finds an entity by what only one of its kind has. */
@FunctionalInterface
public interface One<K, R extends Record> {
  Optional<Kept<R>> find(K key);

  /** One that another row refers to. */
  default Kept<R> known(K key) {
    return find(key).orElseThrow(() -> new IllegalStateException("there is nothing for " + key));
  }

  /** The row of one that another row refers to. */
  default R row(K key) {
    return known(key).row();
  }
}
