package tierbench.mail.back;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tierbench.common.Fault;

class ShelfTest {
  private final List<Wire> opened = new ArrayList<>();
  private Instant now = Instant.EPOCH;

  private static final class Wire implements Connection {
    private boolean isAlive = true;
    private int closed;

    @Override
    public boolean isAlive() {
      return isAlive;
    }

    @Override
    public void close() {
      closed++;
    }
  }

  private Shelf<String, Wire> shelf(int most) {
    return new Shelf<>(
        "a server",
        most,
        () -> now,
        key -> {
          opened.add(new Wire());
          return opened.get(opened.size() - 1);
        });
  }

  private int of(Wire wire) {
    return opened.indexOf(wire);
  }

  private List<Integer> closed() {
    return opened.stream().map(wire -> wire.closed).toList();
  }

  @Test
  void aConnectionIsUsedAgainByItsKeyAlone() {
    Shelf<String, Wire> shelf = shelf(2);
    assertEquals(0, shelf.with("ada", this::of));
    assertEquals(1, shelf.with("bob", this::of));
    assertEquals(0, shelf.with("ada", this::of));
    // Two at once need two.
    int inside = shelf.with("ada", wire -> of(wire) * 10 + shelf.with("ada", this::of));
    assertEquals(2, inside);
    // Of three, bob's has waited longest.
    assertEquals(List.of(0, 1, 0), closed());
    shelf.close();
    assertEquals(List.of(1, 1, 1), closed());
  }

  @Test
  void whatIsBrokenIsNotKept() {
    Shelf<String, Wire> shelf = shelf(2);
    shelf.with("ada", this::of);
    opened.get(0).isAlive = false;
    assertEquals(1, shelf.with("ada", this::of));
    assertThrows(
        Unavailable.class,
        () ->
            shelf.with(
                "ada",
                wire -> {
                  throw new IOException("gone");
                }));
    assertEquals(2, shelf.with("ada", this::of));
    assertEquals(List.of(1, 1, 0), closed());
  }

  @Test
  void whatHasWaitedForLongIsClosed() {
    Shelf<String, Wire> shelf = shelf(2);
    shelf.with("ada", this::of);
    now = now.plusSeconds(3);
    shelf.with("bob", this::of);
    shelf.closeAfter(Duration.ofSeconds(4));
    assertEquals(List.of(0, 0), closed());
    now = now.plusSeconds(1);
    shelf.closeAfter(Duration.ofSeconds(4));
    assertEquals(List.of(1, 0), closed());
    assertEquals(1, shelf.with("bob", this::of));
  }

  @Test
  void aRefusalBreaksNothing() {
    Shelf<String, Wire> shelf = shelf(1);
    assertThrows(
        Fault.class,
        () ->
            shelf.with(
                "ada",
                wire -> {
                  throw Refusals.noMessage();
                }));
    assertEquals(0, shelf.with("ada", this::of));
  }

  @Test
  void whereNoneMayWaitEachUseHasItsOwn() {
    Shelf<String, Wire> shelf = shelf(0);
    assertEquals(0, shelf.with("ada", this::of));
    assertEquals(1, shelf.with("ada", this::of));
    assertEquals(List.of(1, 1), closed());
  }
}
