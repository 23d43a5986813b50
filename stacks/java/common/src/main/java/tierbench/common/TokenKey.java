package tierbench.common;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.OptionalInt;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key with which log-in tokens are signed. A token is {@code user.expires.signature}: the
 * user's id, the second since the Unix epoch after which it is worth nothing, and the HMAC-SHA256
 * of {@code user.expires}, in hexadecimal.
 */
public final class TokenKey {
  private static final Duration LIFE = Duration.ofHours(1);
  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec key;
  private final Clock clock;

  public TokenKey(String key, Clock clock) {
    this.key = new SecretKeySpec(key.getBytes(UTF_8), ALGORITHM);
    this.clock = clock;
  }

  /** The token of a user who logs in now. */
  public String sign(int user) {
    String claim = user + "." + clock.instant().plus(LIFE).getEpochSecond();
    return claim + '.' + signature(claim);
  }

  /** The user whom a token proves; nobody if it is forged, altered or expired. */
  public OptionalInt verify(String token) {
    int end = token.lastIndexOf('.');
    if (end < 0) {
      return OptionalInt.empty();
    }
    String claim = token.substring(0, end);
    byte[] signature = token.substring(end + 1).getBytes(UTF_8);
    if (!MessageDigest.isEqual(signature(claim).getBytes(UTF_8), signature)) {
      return OptionalInt.empty();
    }
    // From here on it is one of ours.
    int dot = claim.indexOf('.');
    long expires = Long.parseLong(claim.substring(dot + 1));
    return clock.instant().getEpochSecond() <= expires
        ? OptionalInt.of(Integer.parseInt(claim.substring(0, dot)))
        : OptionalInt.empty();
  }

  /**
   * A number as it is given out as the value of a parameter, to be taken back only unaltered: the
   * number and the HMAC-SHA256 of {@code name=number}, as in {@code 17.5e88…}. It never expires.
   */
  public String seal(String name, int number) {
    return number + "." + signature(name + '=' + number);
  }

  /** The number that was sealed for a parameter; none if it is forged or altered. */
  public OptionalInt open(String name, String sealed) {
    int dot = sealed.indexOf('.');
    if (dot < 0) {
      return OptionalInt.empty();
    }
    String number = sealed.substring(0, dot);
    byte[] signature = sealed.substring(dot + 1).getBytes(UTF_8);
    byte[] right = signature(name + '=' + number).getBytes(UTF_8);
    return MessageDigest.isEqual(right, signature)
        ? OptionalInt.of(Integer.parseInt(number))
        : OptionalInt.empty();
  }

  private String signature(String claim) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return HexFormat.of().formatHex(mac.doFinal(claim.getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }
}
