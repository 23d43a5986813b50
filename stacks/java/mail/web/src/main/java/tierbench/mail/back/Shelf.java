package tierbench.mail.back;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import tierbench.common.Fault;

/**
 * Connections that wait for their next use, each under the key that it was opened with. At most so
 * many wait; the one that has waited longest goes first. Where none may wait, each use has a
 * connection of its own.
 */
final class Shelf<K, C extends Connection> {
  /** Opens a connection. */
  interface Opener<K, C> {
    C open(K key) throws Exception;
  }

  /** Something that is done with a connection. */
  interface Work<C, T> {
    T with(C connection) throws Exception;
  }

  private record Waiting<K, C>(K key, C connection, Instant since) {}

  private final String what;
  private final int most;
  private final InstantSource clock;
  private final Opener<K, C> opener;

  /** The last one that was used comes first. */
  private final Deque<Waiting<K, C>> all = new ArrayDeque<>();

  Shelf(String what, int most, InstantSource clock, Opener<K, C> opener) {
    this.what = what;
    this.most = most;
    this.clock = clock;
    this.opener = opener;
  }

  /** Works with a connection that nobody else has meanwhile. Nothing is tried twice. */
  <T> T with(K key, Work<C, T> work) {
    C connection = connection(key);
    boolean isSound = false;
    try {
      T result = work.with(connection);
      isSound = true;
      return result;
    } catch (Fault refusal) {
      isSound = true;
      throw refusal;
    } catch (Unavailable another) {
      throw another;
    } catch (Exception failure) {
      throw new Unavailable(what, failure);
    } finally {
      if (isSound) {
        put(new Waiting<>(key, connection, clock.instant()));
      } else {
        connection.close();
      }
    }
  }

  private C connection(K key) {
    for (Optional<C> kept = take(key); kept.isPresent(); kept = take(key)) {
      if (kept.get().isAlive()) {
        return kept.get();
      }
      kept.get().close();
    }
    try {
      return opener.open(key);
    } catch (Fault refusal) {
      throw refusal;
    } catch (Exception failure) {
      throw new Unavailable(what, failure);
    }
  }

  private synchronized Optional<C> take(K key) {
    for (Iterator<Waiting<K, C>> each = all.iterator(); each.hasNext(); ) {
      Waiting<K, C> waiting = each.next();
      if (waiting.key().equals(key)) {
        each.remove();
        return Optional.of(waiting.connection());
      }
    }
    return Optional.empty();
  }

  private void put(Waiting<K, C> newest) {
    Optional<Waiting<K, C>> over;
    synchronized (this) {
      all.addFirst(newest);
      over = all.size() > most ? Optional.of(all.removeLast()) : Optional.empty();
    }
    over.ifPresent(eldest -> eldest.connection().close());
  }

  /** Closes what has waited for so long. */
  void closeAfter(Duration idle) {
    Instant last = clock.instant().minus(idle);
    List<C> over = new ArrayList<>();
    synchronized (this) {
      while (!all.isEmpty() && !all.getLast().since().isAfter(last)) {
        over.add(all.removeLast().connection());
      }
    }
    over.forEach(Connection::close);
  }

  synchronized void close() {
    all.forEach(waiting -> waiting.connection().close());
    all.clear();
  }
}
