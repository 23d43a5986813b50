package tierbench.ejb;

/** An entity that was found, and what its row holds, as {@code V} shows it. */
@FunctionalInterface
public interface Row<V> {
  V row();
}
