package tierbench.ejb;

import java.util.List;

/** Finds all entities with a key, for update. */
@FunctionalInterface
public interface ListUpdateFinder<K, R extends Record> {
  List<EntityHandle<R>> of(K key);
}
