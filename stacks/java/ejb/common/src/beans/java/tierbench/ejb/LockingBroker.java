package tierbench.ejb;

import java.io.Serial;
import java.util.BitSet;
import java.util.Set;
import org.apache.openjpa.kernel.BrokerImpl;
import org.apache.openjpa.kernel.FetchConfiguration;
import org.apache.openjpa.kernel.FindCallbacks;
import org.apache.openjpa.kernel.MixedLockLevels;
import org.apache.openjpa.util.OpenJPAId;

/**
 * Locks the rows of some entities as it reads them. TomEE takes over all that the mappings tell
 * GlassFish, but for that.
 */
@SuppressWarnings("unchecked") // What OpenJPA overrides has types, and its own methods have none.
public class LockingBroker extends BrokerImpl {
  @Serial private static final long serialVersionUID = 1;

  private transient Set<String> locked = Set.of();

  /** Takes over from persistence.xml which entities these are: names with a blank between them. */
  public void setLocked(String names) {
    locked = Set.of(names.split(" "));
  }

  @Override
  protected Object find(
      Object id,
      FetchConfiguration fetch,
      BitSet exclude,
      Object data,
      int flags,
      FindCallbacks callbacks) {
    return super.find(id, isLocked(id) ? locking() : fetch, exclude, data, flags, callbacks);
  }

  /** TomEE calls an entity's class like the entity. */
  private boolean isLocked(Object id) {
    return locked.contains(((OpenJPAId) id).getType().getSimpleName());
  }

  private FetchConfiguration locking() {
    FetchConfiguration locking = (FetchConfiguration) getFetchConfiguration().clone();
    locking.setReadLockLevel(MixedLockLevels.LOCK_PESSIMISTIC_WRITE);
    return locking;
  }
}
