package tierbench.common;

import jakarta.ws.rs.core.Response.Status;

/** Says why a request is refused, and perhaps leads the visitor on. It rolls transactions back. */
public class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Status status;
  private final String href;
  private final String onward;

  public Refusal(Status status, String text, String href, String onward) {
    // A stack trace would tell nobody anything.
    super(text, null, false, false);
    this.status = status;
    this.href = href;
    this.onward = onward;
  }

  public static Refusal parameter(String name) {
    String text = "The parameter %s is missing, repeated or malformed.".formatted(name);
    return new Refusal(Status.BAD_REQUEST, text, null, null);
  }

  public static Refusal unknown(String what, int id) {
    return new Refusal(Status.NOT_FOUND, "There is no %s %d.".formatted(what, id), null, null);
  }

  public Status getStatus() {
    return status;
  }

  public String getHeading() {
    return switch (status) {
      case BAD_REQUEST -> "Bad request";
      case FORBIDDEN -> "Access denied";
      case NOT_FOUND -> "Not found";
      default -> "Refused";
    };
  }

  public String getHref() {
    return href;
  }

  public String getOnward() {
    return onward;
  }
}
