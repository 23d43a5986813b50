package tierbench.bookstore.rules;

import java.util.List;
import java.util.Set;

/** What books are about. */
public final class Subjects {
  /** As they are listed. */
  public static final List<String> ALL =
      List.of(
          "ARTS",
          "BIOGRAPHIES",
          "BUSINESS",
          "CHILDREN",
          "COMPUTERS",
          "COOKING",
          "HEALTH",
          "HISTORY",
          "HOME",
          "HUMOR",
          "LITERATURE",
          "MYSTERY",
          "NON-FICTION",
          "PARENTING",
          "POLITICS",
          "REFERENCE",
          "RELIGION",
          "ROMANCE",
          "SELF-HELP",
          "SCIENCE-NATURE",
          "SCIENCE-FICTION",
          "SPORTS",
          "YOUTH",
          "TRAVEL");

  public static final Set<String> NAMES = Set.copyOf(ALL);

  private Subjects() {}
}
