package tierbench.ejb;

import java.util.Optional;

/** Finds an entity by what only one of its kind has, to change it. */
@FunctionalInterface
public interface OneToChange<K, R extends Record> {
  Optional<Kept<R>> find(K key);

  /** One that another row refers to. */
  default Kept<R> known(K key) {
    return find(key).orElseThrow(() -> new IllegalStateException("there is nothing for " + key));
  }
}
