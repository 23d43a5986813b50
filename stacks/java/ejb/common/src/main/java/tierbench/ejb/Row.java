package tierbench.ejb;

/** A found entity, whose row is read as {@code V}. */
@FunctionalInterface
public interface Row<V> {
  V row();
}
