package tierbench.auction.entities;

/** An entity that was found: what its row holds, and how it is changed. */
public interface Kept<R extends Record> {
  R row();

  void change(R row);
}
