package tierbench.auction;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.Response.Status;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import tierbench.common.Refusal;

/** Who a user is: by nickname and password, or by the signed token that a log-in gave them. */
@ApplicationScoped
class LogIn {
  private static final int LIFE = 3600;

  private final Store store;
  private final SecretKeySpec key;

  LogIn(Store store, @ConfigProperty(name = "TIERBENCH_TOKEN_KEY") String key) {
    this.store = store;
    this.key = new SecretKeySpec(key.getBytes(UTF_8), "HmacSHA256");
  }

  int user(String nickname, String password) {
    return store
        .account(nickname)
        .filter(account -> equal(account.password(), hash(nickname, password)))
        .orElseThrow(() -> refusal("The nickname or the password is wrong."))
        .id();
  }

  String token(int user) {
    String claim = user + "." + (Instant.now().getEpochSecond() + LIFE);
    return claim + "." + signature(claim);
  }

  int user(String token) {
    int end = token.lastIndexOf('.');
    String claim = token.substring(0, Math.max(end, 0));
    if (!equal(signature(claim), token.substring(end + 1))) {
      throw wrongToken();
    }
    String[] parts = claim.split("\\.");
    if (Long.parseLong(parts[1]) < Instant.now().getEpochSecond()) {
      throw wrongToken();
    }
    return Integer.parseInt(parts[0]);
  }

  static String hash(String nickname, String password) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest((nickname + ":" + password).getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private String signature(String claim) {
    try {
      Mac mac = Mac.getInstance(key.getAlgorithm());
      mac.init(key);
      return HexFormat.of().formatHex(mac.doFinal(claim.getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean equal(String right, String given) {
    return MessageDigest.isEqual(right.getBytes(UTF_8), given.getBytes(UTF_8));
  }

  private static Refusal wrongToken() {
    return refusal("Your log-in is not valid or has expired. Please log in again.");
  }

  private static Refusal refusal(String text) {
    return new Refusal(Status.FORBIDDEN, text, "/auction/index.html", "Home");
  }
}
