package tierbench.auction.entities;

import java.util.Locale;
import java.util.Optional;
import tierbench.auction.entities.Remote.Values;
import tierbench.common.Environment;

/** The designs of the auction's beans: the values of the factor {@code design}. */
public enum Design {
  SESSION,
  FACADE_LOCAL,
  FACADE_REMOTE,
  FACADE_BMP_LOCAL,
  FACADE_BMP_REMOTE,
  CMP,
  CMP_GETTERS,
  BMP,
  BMP_GETTERS;

  /** The design that this process is part of. */
  public static Design of(Environment environment) {
    String value = environment.get("TIERBENCH_FACTOR_DESIGN");
    return valueOf(value.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /** Whether the facade calls entities by their remote interfaces. */
  public boolean hasRemoteFacade() {
    return this == FACADE_REMOTE || this == FACADE_BMP_REMOTE;
  }

  /** How servlets read entities; empty where a session bean reads the rows. */
  public Optional<Values> servletReads() {
    return switch (this) {
      case CMP, BMP -> Optional.of(Values.ROW);
      case CMP_GETTERS, BMP_GETTERS -> Optional.of(Values.GETTERS);
      default -> Optional.empty();
    };
  }
}
