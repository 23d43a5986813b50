package tierbench.mail.back;

import java.io.Serial;

/** A server behind this one doesn't do what it is asked for. */
final class Unavailable extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  Unavailable(String what, Throwable cause) {
    super(what, cause);
  }
}
