package tierbench.common.data;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock for each entity that somebody works on, and none for the others. It keeps out only who
 * asks here, so all who change the data must be in this process.
 */
final class EntityLocks {
  private final Map<Entity, Held> locks = new ConcurrentHashMap<>();

  /** Waits until nobody else works on the entity. */
  void lock(Entity entity) {
    Held held = locks.compute(entity, (key, old) -> (old == null ? new Held() : old).joined());
    held.lock.lock();
  }

  void unlock(Entity entity) {
    locks.computeIfPresent(
        entity,
        (key, held) -> {
          held.lock.unlock();
          return held.isLeftByAll() ? null : held;
        });
  }

  /** How many entities are locked or waited for. */
  int size() {
    return locks.size();
  }

  /**
   * A lock, and how many threads have it or wait for it. That is only changed inside the map's own
   * functions.
   */
  private static final class Held {
    final ReentrantLock lock = new ReentrantLock();
    private int threads;

    Held joined() {
      threads++;
      return this;
    }

    boolean isLeftByAll() {
      threads--;
      return threads == 0;
    }
  }
}
