package tierbench.common;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** How passwords are stored: SHA-256 of {@code nickname:password}, in hexadecimal. */
public final class Password {
  private Password() {}

  public static String hash(String nickname, String password) {
    byte[] text = (nickname + ':' + password).getBytes(UTF_8);
    return HexFormat.of().formatHex(sha256().digest(text));
  }

  /** Whether a password is the one that was stored. Takes as long for a nearly right one. */
  public static boolean isRight(String nickname, String password, String stored) {
    return MessageDigest.isEqual(hash(nickname, password).getBytes(UTF_8), stored.getBytes(UTF_8));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
