package tierbench.ejb;

/** Creates an entity and its row. */
@FunctionalInterface
public interface Maker<R extends Record> {
  void make(R row);
}
