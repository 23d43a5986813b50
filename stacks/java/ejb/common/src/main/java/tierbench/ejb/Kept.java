package tierbench.ejb;

/** An entity that was found: what its row holds, and how it is changed and removed. */
public interface Kept<R extends Record> {
  R row();

  void change(R row);

  void remove();
}
