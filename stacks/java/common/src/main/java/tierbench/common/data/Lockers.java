package tierbench.common.data;

/** Who keeps others away from what is being changed. */
enum Lockers {
  DATABASE,
  SERVLETS;

  static Lockers of(String factor) {
    return switch (factor) {
      case "database" -> DATABASE;
      case "servlets" -> SERVLETS;
      default -> throw new IllegalArgumentException("locks can't be in %s".formatted(factor));
    };
  }
}
