package tierbench.auction.web;

import tierbench.common.web.Form;

/** Nickname and password, with which users say who they are. */
record Credentials(String nickname, String password) {
  static Credentials read(Form form) {
    return new Credentials(form.nickname("nickname", 20), form.text("password", 20));
  }
}
