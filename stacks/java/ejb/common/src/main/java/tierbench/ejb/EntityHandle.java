package tierbench.ejb;

/** A found entity, whose row can be read, changed and removed. */
public interface EntityHandle<R extends Record> extends Row<R> {
  void change(R row);

  void remove();
}
