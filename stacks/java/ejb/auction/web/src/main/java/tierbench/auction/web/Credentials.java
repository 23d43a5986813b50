package tierbench.auction.web;

import tierbench.common.web.Form;

/** A user's nickname and password. */
record Credentials(String nickname, String password) {
  static Credentials read(Form form) {
    return new Credentials(form.nickname("nickname", 20), form.text("password", 20));
  }
}
