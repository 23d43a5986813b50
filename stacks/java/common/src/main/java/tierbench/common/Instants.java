package tierbench.common;

import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;

/** How instants, which are UTC, are written in pages. */
public final class Instants {
  private static final DateTimeFormatter PEOPLE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");
  private static final DateTimeFormatter MACHINE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'Z'");

  private Instants() {}

  public static String people(LocalDateTime instant) {
    return PEOPLE.format(instant);
  }

  public static String machine(LocalDateTime instant) {
    return MACHINE.format(instant);
  }
}
