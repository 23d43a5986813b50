package tierbench.ejb;

import java.io.Serial;
import tierbench.common.Fault;
import tierbench.common.Link;

/**
 * Why a bean refuses what a servlet asks it for. To the container it is an outcome like any other:
 * it neither logs it nor takes anything back, as nothing has been changed by then.
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

  /** The same, as the pages know it. */
  public Fault fault() {
    return new Fault(status, reason, href == null ? null : new Link(href, text));
  }
}
