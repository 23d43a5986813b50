package tierbench.ejb;

/** Makes an entity, and with it a row. */
@FunctionalInterface
public interface Maker<R extends Record> {
  void make(R row);
}
