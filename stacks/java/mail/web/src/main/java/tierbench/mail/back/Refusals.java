package tierbench.mail.back;

import tierbench.common.Fault;

/** Why a request is refused, beside what is wrong with requests of any application. */
public final class Refusals {
  private Refusals() {}

  public static Fault notLoggedIn() {
    return new Fault(403, "You are not logged in.");
  }

  static Fault wrongPassword() {
    return new Fault(403, "The nickname or the password is wrong.");
  }

  static Fault noMessage() {
    return new Fault(404, "There is no such message.");
  }

  static Fault noRecipient() {
    return new Fault(404, "There is nobody of that name.");
  }
}
