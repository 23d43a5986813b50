package tierbench.mail.back;

/** As whom a user is logged in. */
public record Login(String nickname, String password) {
  /** Not to be seen in logs. */
  @Override
  public String toString() {
    return nickname;
  }
}
