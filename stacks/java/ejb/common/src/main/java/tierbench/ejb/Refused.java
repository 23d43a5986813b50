package tierbench.ejb;

import java.io.Serial;
import tierbench.common.Fault;
import tierbench.common.Link;

/**
 * A refusal of a call. For the container it is an ordinary outcome: it neither logs it nor rolls
 * back, since nothing has been changed yet.
 */
public final class Refused extends Exception {
  @Serial private static final long serialVersionUID = 1;

  private final int status;
  private final String reason;
  private final String href;
  private final String text;

  public Refused(Fault fault) {
    super(fault.getMessage(), null, false, false);
    status = fault.status();
    reason = fault.getMessage();
    href = fault.onward().map(Link::href).orElse(null);
    text = fault.onward().map(Link::text).orElse(null);
  }

  /** The refusal as a fault of the pages. */
  public Fault fault() {
    return new Fault(status, reason, href == null ? null : new Link(href, text));
  }
}
