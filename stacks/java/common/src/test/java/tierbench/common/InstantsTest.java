package tierbench.common;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.LocalDateTime;
import org.junit.jupiter.api.Test;

class InstantsTest {
  @Test
  void instantsHaveSeconds() {
    LocalDateTime instant = LocalDateTime.of(2026, 1, 2, 3, 4, 0);
    assertEquals("2026-01-02 03:04:00", Instants.people(instant));
    assertEquals("2026-01-02T03:04:00Z", Instants.machine(instant));
  }
}
