package tierbench.mail.back;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SessionKeyTest {
  private static final Login ADA = new Login("ada", "pass:word");

  private static SessionKey key(String text, Duration later) {
    Instant now = Instant.parse("2026-11-22T00:00:00Z").plus(later);
    return new SessionKey(text, Clock.fixed(now, ZoneOffset.UTC));
  }

  @Test
  void aSessionIsReadByItsKeyAloneForAnHour() {
    String locked = key("secret", Duration.ZERO).lock(ADA);
    assertTrue(locked.matches("[A-Za-z0-9_-]+"), locked);
    assertEquals(Optional.of(ADA), key("secret", Duration.ofHours(1)).unlock(locked));
    assertTrue(key("secret", Duration.ofHours(1).plusSeconds(1)).unlock(locked).isEmpty());
    assertTrue(key("guess", Duration.ZERO).unlock(locked).isEmpty());
  }

  @Test
  void anAlteredSessionProvesNobody() {
    SessionKey key = key("secret", Duration.ZERO);
    String locked = key.lock(ADA);
    for (int at = 0; at < locked.length(); at++) {
      char other = locked.charAt(at) == 'A' ? 'B' : 'A';
      String altered = locked.substring(0, at) + other + locked.substring(at + 1);
      assertTrue(key.unlock(altered).isEmpty(), altered);
    }
    for (String wrong : List.of("", "AAAA", locked + "A", locked + "=", locked.substring(1), "+")) {
      assertTrue(key.unlock(wrong).isEmpty(), wrong);
    }
  }

  @Test
  void twoSessionsOfOneUserDiffer() {
    SessionKey key = key("secret", Duration.ZERO);
    assertNotEquals(key.lock(ADA), key.lock(ADA));
  }
}
