package tierbench.mail.back;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key with which sessions are locked up in cookies: {@code expires:nickname:password} in
 * AES-256-GCM with the SHA-256 of the run's key; nonce, ciphertext and tag are written in URL-safe
 * base64 without padding.
 */
public final class SessionKey {
  private static final Duration LIFE = Duration.ofHours(1);
  private static final String CIPHER = "AES/GCM/NoPadding";
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BYTES = 16;

  private final SecretKeySpec key;
  private final Clock clock;
  private final SecureRandom random = new SecureRandom();

  public SessionKey(String key, Clock clock) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(key.getBytes(UTF_8));
      this.key = new SecretKeySpec(hash, "AES");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
    this.clock = clock;
  }

  /** The session of somebody who logs in now, as the value of a cookie. */
  public String lock(Login login) {
    long expires = clock.instant().plus(LIFE).getEpochSecond();
    byte[] plain = (expires + ":" + login.nickname() + ':' + login.password()).getBytes(UTF_8);
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    try {
      byte[] locked = cipher(Cipher.ENCRYPT_MODE, nonce).doFinal(plain);
      byte[] all = ByteBuffer.allocate(nonce.length + locked.length).put(nonce).put(locked).array();
      return encoded(all);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a session can't be encrypted", e);
    }
  }

  /** Who was locked up in a cookie; nobody if it is forged, altered or expired. */
  public Optional<Login> unlock(String cookie) {
    try {
      byte[] all = Base64.getUrlDecoder().decode(cookie);
      // There are other ways to write the same bytes.
      if (all.length < NONCE_BYTES + TAG_BYTES || !encoded(all).equals(cookie)) {
        return Optional.empty();
      }
      ByteBuffer bytes = ByteBuffer.wrap(all);
      byte[] nonce = new byte[NONCE_BYTES];
      bytes.get(nonce);
      byte[] plain =
          cipher(Cipher.DECRYPT_MODE, nonce).doFinal(all, NONCE_BYTES, bytes.remaining());
      return read(new String(plain, UTF_8));
    } catch (IllegalArgumentException | AEADBadTagException forged) {
      return Optional.empty();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a session can't be decrypted", e);
    }
  }

  private Cipher cipher(int mode, byte[] nonce) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(CIPHER);
    cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce));
    return cipher;
  }

  private static String encoded(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** What only this key can have written, perhaps for something else. */
  private Optional<Login> read(String plain) {
    int first = plain.indexOf(':');
    int second = plain.indexOf(':', first + 1);
    if (second < 0
        || clock.instant().getEpochSecond() > Long.parseLong(plain.substring(0, first))) {
      return Optional.empty();
    }
    return Optional.of(new Login(plain.substring(first + 1, second), plain.substring(second + 1)));
  }
}
