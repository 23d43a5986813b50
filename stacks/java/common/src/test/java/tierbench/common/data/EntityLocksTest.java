package tierbench.common.data;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EntityLocksTest {
  private static final int THREADS = 4;
  private static final int ROUNDS = 20_000;

  private final EntityLocks locks = new EntityLocks();

  @Test
  void onlyOneAtATimeWorksOnAnEntityAndNothingIsLeftBehind() throws Exception {
    int[] count = new int[1];
    together(
        () -> {
          locks.lock(new Entity("items", 1));
          try {
            count[0]++;
          } finally {
            locks.unlock(new Entity("items", 1));
          }
        });
    assertEquals(THREADS * ROUNDS, count[0]);
    assertEquals(0, locks.size());
  }

  @Test
  void othersAreNotWaitedFor() throws Exception {
    locks.lock(new Entity("items", 1));
    together(
        () -> {
          locks.lock(new Entity("users", 1));
          locks.unlock(new Entity("users", 1));
        });
    assertEquals(1, locks.size());
    locks.unlock(new Entity("items", 1));
    assertEquals(0, locks.size());
  }

  private static void together(Runnable work) throws Exception {
    CyclicBarrier start = new CyclicBarrier(THREADS);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> all =
          IntStream.range(0, THREADS)
              .<Future<?>>mapToObj(i -> threads.submit(() -> repeat(start, work)))
              .toList();
      for (Future<?> each : all) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static Void repeat(CyclicBarrier start, Runnable work) throws Exception {
    start.await();
    for (int i = 0; i < ROUNDS; i++) {
      work.run();
    }
    return null;
  }
}
