package tierbench.common;

import java.io.Serial;
import java.util.Optional;

/**
 * Why a request is refused. Its message is the text of the error page. A refused request has
 * changed nothing. It is part of the ordinary course of things, so it keeps no trace of the calls
 * that led to it.
 */
public final class Fault extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private final int status;
  private final transient Link onward;

  public Fault(int status, String message) {
    this(status, message, null);
  }

  /** A refusal that leads the visitor on. */
  public Fault(int status, String message, Link onward) {
    super(message, null, false, false);
    this.status = status;
    this.onward = onward;
  }

  public static Fault unknownPage() {
    return new Fault(404, "There is no such page.");
  }

  public static Fault wrongMethod(String right) {
    return new Fault(405, "This page is for %s requests only.".formatted(right));
  }

  public static Fault parameter(String name) {
    return new Fault(400, "The parameter %s is missing, repeated or malformed.".formatted(name));
  }

  public static Fault unknown(String what, int id) {
    return new Fault(404, "There is no %s %d.".formatted(what, id));
  }

  public static Fault brokenParameters() {
    return new Fault(400, "The parameters are malformed, too many or too long.");
  }

  /** For what the servlet engine has refused by itself. */
  public static Fault ofServer(int status) {
    return status < 500 ? new Fault(status, "This request can't be answered.") : internal();
  }

  /** For all that is our fault. What it was is in the log, and none of the visitor's business. */
  public static Fault internal() {
    return new Fault(500, "Something went wrong here. Please try again later.");
  }

  public int status() {
    return status;
  }

  public Optional<Link> onward() {
    return Optional.ofNullable(onward);
  }

  /** Title and heading of the error page. */
  public String heading() {
    return switch (status) {
      case 403 -> "Access denied";
      case 404 -> "Not found";
      case 405 -> "Wrong method";
      case 409 -> "Refused";
      case 504 -> "No answer";
      default -> status < 500 ? "Bad request" : "Internal error";
    };
  }
}
