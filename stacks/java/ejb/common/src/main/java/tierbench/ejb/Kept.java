package tierbench.ejb;

/** An entity that was found, and how its row is read, changed and removed. */
public interface Kept<R extends Record> extends Row<R> {
  void change(R row);

  void remove();
}
