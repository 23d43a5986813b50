package tierbench.ejb;

import java.util.List;

/** Finds all entities that have something in common, to change them. */
@FunctionalInterface
public interface ManyToChange<K, R extends Record> {
  List<Kept<R>> of(K key);
}
