package tierbench.common.web;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import tierbench.common.Fault;
import tierbench.common.Money;

/** The parameters of a request, read strictly. Of several values the first counts. */
public final class Form {
  private static final int LARGEST_ID = 999_999_999;

  private static final Pattern WHOLE = Pattern.compile("0|[1-9][0-9]{0,8}");
  private static final Pattern NICKNAME = Pattern.compile("[A-Za-z0-9_.-]+");

  private final Map<String, String[]> values;

  public Form(HttpServletRequest request) {
    this(parameters(request));
  }

  Form(Map<String, String[]> values) {
    this.values = values;
  }

  /** A container throws for broken, too many or too long parameters. */
  private static Map<String, String[]> parameters(HttpServletRequest request) {
    try {
      return request.getParameterMap();
    } catch (IllegalStateException | IllegalArgumentException e) {
      throw Fault.brokenParameters();
    }
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

  /** A parameter that may be missing or empty: none then. */
  public <T> Optional<T> optional(String name, Function<String, T> read) {
    return first(name).filter(value -> !value.isEmpty()).map(unused -> read.apply(name));
  }

  private String one(String name) {
    return first(name).orElseThrow(() -> Fault.parameter(name));
  }

  private Optional<String> first(String name) {
    return Optional.ofNullable(values.get(name)).map(all -> all[0]);
  }

  private static String require(boolean isRight, String name, String value) {
    if (!isRight) {
      throw Fault.parameter(name);
    }
    return value;
  }
}
