package tierbench.common.web;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import tierbench.common.Fault;
import tierbench.common.Money;

/**
 * The parameters of a request, read strictly: each must be there exactly once. The container's own
 * can't tell, because they mix query and body, depend on the content type, and replace what is no
 * UTF-8.
 */
public final class Form {
  private static final int LARGEST_ID = 999_999_999;

  /** More would be an attack on our memory. */
  private static final int MOST_PARAMETERS = 1000;

  /** A parameter that is there once and empty. */
  private static final List<Optional<String>> EMPTY = List.of(Optional.of(""));

  private static final Pattern WHOLE = Pattern.compile("0|[1-9][0-9]{0,8}");
  private static final Pattern NICKNAME = Pattern.compile("[A-Za-z0-9_.-]+");

  /** All values of each parameter; those that are no UTF-8 are empty. */
  private final Map<String, List<Optional<String>>> values;

  private Form(Map<String, List<Optional<String>>> values) {
    this.values = values;
  }

  /** Reads what is sent as {@code application/x-www-form-urlencoded}, a char for each byte. */
  public static Form decode(String encoded) {
    if (encoded.chars().filter(c -> c == '&').count() >= MOST_PARAMETERS) {
      throw Fault.tooManyParameters();
    }
    Map<String, List<Optional<String>>> values = new HashMap<>();
    int start = 0;
    while (start < encoded.length()) {
      int ampersand = encoded.indexOf('&', start);
      int end = ampersand < 0 ? encoded.length() : ampersand;
      if (start < end) {
        add(values, encoded.substring(start, end));
      }
      start = end + 1;
    }
    return new Form(values);
  }

  /** A name that is no UTF-8 is the name of nothing. */
  private static void add(Map<String, List<Optional<String>>> values, String pair) {
    int equals = pair.indexOf('=');
    Optional<String> name = unescape(equals < 0 ? pair : pair.substring(0, equals));
    Optional<String> value = unescape(equals < 0 ? "" : pair.substring(equals + 1));
    name.ifPresent(key -> values.computeIfAbsent(key, unused -> new ArrayList<>(1)).add(value));
  }

  /** Reads a body, whatever its type is said to be. */
  public static Form decode(byte[] body) {
    return decode(new String(body, ISO_8859_1));
  }

  /** A text of 1 to {@code most} code points, taken as it is. */
  public String text(String name, int most) {
    String value = one(name);
    boolean isRight =
        !value.isEmpty()
            && value.codePointCount(0, value.length()) <= most
            && value.indexOf('\0') < 0;
    return require(isRight, name, value);
  }

  public String nickname(String name, int most) {
    String value = one(name);
    return require(value.length() <= most && NICKNAME.matcher(value).matches(), name, value);
  }

  public String email(String name, int most) {
    String value = text(name, most);
    return require(value.contains("@"), name, value);
  }

  /** One of a few texts. */
  public String choice(String name, Set<String> texts) {
    String value = one(name);
    return require(texts.contains(value), name, value);
  }

  /** A whole number within a range, of at most nine digits. */
  public int whole(String name, int least, int most) {
    String value = one(name);
    require(WHOLE.matcher(value).matches(), name, value);
    int number = Integer.parseInt(value);
    require(number >= least && number <= most, name, value);
    return number;
  }

  public int id(String name) {
    return whole(name, 1, LARGEST_ID);
  }

  public Money money(String name) {
    return Money.parse(one(name)).orElseThrow(() -> Fault.parameter(name));
  }

  /** A text that has a form of its own. */
  public String matching(String name, Pattern pattern) {
    String value = one(name);
    return require(pattern.matcher(value).matches(), name, value);
  }

  /** A parameter that may be missing, or there once and empty: none then. */
  public <T> Optional<T> optional(String name, Function<String, T> read) {
    List<Optional<String>> all = values.getOrDefault(name, List.of());
    boolean isAbsent = all.isEmpty() || all.equals(EMPTY);
    return isAbsent ? Optional.empty() : Optional.of(read.apply(name));
  }

  private String one(String name) {
    List<Optional<String>> all = values.getOrDefault(name, List.of());
    if (all.size() != 1) {
      throw Fault.parameter(name);
    }
    return all.get(0).orElseThrow(() -> Fault.parameter(name));
  }

  private static String require(boolean isRight, String name, String value) {
    if (!isRight) {
      throw Fault.parameter(name);
    }
    return value;
  }

  /** What escapes stand for; an escape that is none stands for itself. Empty if it is no UTF-8. */
  private static Optional<String> unescape(String escaped) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(escaped.length());
    for (int at = 0; at < escaped.length(); at++) {
      char c = escaped.charAt(at);
      if (c == '+') {
        bytes.write(' ');
      } else if (c == '%' && isHex(escaped, at + 1) && isHex(escaped, at + 2)) {
        bytes.write(Integer.parseInt(escaped, at + 1, at + 3, 16));
        at += 2;
      } else {
        bytes.write(c);
      }
    }
    try {
      return Optional.of(
          UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray())).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  private static boolean isHex(String text, int at) {
    return at < text.length() && text.charAt(at) < 128 && Character.digit(text.charAt(at), 16) >= 0;
  }
}
