package tierbench.ejb;

import java.util.Optional;

/** Finds one entity by a unique key, for update. */
@FunctionalInterface
public interface UpdateFinder<K, R extends Record> {
  Optional<EntityHandle<R>> find(K key);

  /** An entity that another row refers to, which must exist. */
  default EntityHandle<R> known(K key) {
    return find(key).orElseThrow(() -> new IllegalStateException("there is nothing for " + key));
  }
}
