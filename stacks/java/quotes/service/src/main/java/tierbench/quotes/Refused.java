package tierbench.quotes;

import java.io.Serial;

/** A request that the service refuses, for which the caller is to blame. */
public final class Refused extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  public Refused(String why) {
    super(why, null, false, false);
  }
}
