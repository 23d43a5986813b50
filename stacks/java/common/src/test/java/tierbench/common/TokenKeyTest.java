package tierbench.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class TokenKeyTest {
  private static final Instant NOW = Instant.parse("2026-11-22T00:00:00Z");

  private static TokenKey key(String text, Duration later) {
    return new TokenKey(text, Clock.fixed(NOW.plus(later), ZoneOffset.UTC));
  }

  @Test
  void provesTheUserForAnHour() {
    String token = key("secret", Duration.ZERO).sign(17);
    assertEquals(OptionalInt.of(17), key("secret", Duration.ofHours(1)).verify(token));
    assertTrue(key("secret", Duration.ofHours(1).plusSeconds(1)).verify(token).isEmpty());
  }

  @Test
  void isTheSameInEveryLanguage() {
    String token = key("secret", Duration.ZERO).sign(17);
    String signature = "2781d1192db57c63323a48a3ee36086727b09a939e02789eaf110b26ec040f75";
    assertEquals("17.1795309200." + signature, token);
  }

  @Test
  void aSealedNumberIsTakenBackForItsOwnParameterOnly() {
    TokenKey key = key("secret", Duration.ZERO);
    String sealed = key.seal("CART", 17);
    assertEquals(OptionalInt.of(17), key.open("CART", sealed));
    List<String> wrong =
        List.of(
            sealed.replaceFirst("17", "18"),
            sealed.replaceFirst("17", "017"),
            sealed.toUpperCase(Locale.ROOT),
            sealed + "0",
            "17",
            "17.",
            ".",
            "");
    for (String other : wrong) {
      assertTrue(key.open("CART", other).isEmpty(), other);
    }
    assertTrue(key.open("ORDER", sealed).isEmpty());
    assertTrue(key("guess", Duration.ZERO).open("CART", sealed).isEmpty());
    assertTrue(key.verify(sealed).isEmpty());
  }

  @Test
  void provesNothingIfItIsAltered() {
    TokenKey key = key("secret", Duration.ZERO);
    String token = key.sign(17);
    String signature = token.substring(token.lastIndexOf('.') + 1);
    String expires = token.substring("17.".length(), token.lastIndexOf('.'));
    assertTrue(key("other", Duration.ZERO).verify(token).isEmpty());
    for (String wrong :
        List.of(
            "",
            ".",
            "..",
            "17",
            token + "0",
            token + ".0",
            "0" + token,
            token.substring(0, token.length() - 1),
            "18." + expires + "." + signature,
            "17.9999999999." + signature,
            "17." + expires + ".",
            "17." + expires + "." + signature.toUpperCase(Locale.ROOT))) {
      assertTrue(key.verify(wrong).isEmpty(), wrong);
    }
  }
}
