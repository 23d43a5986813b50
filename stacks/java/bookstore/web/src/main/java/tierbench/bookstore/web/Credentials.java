package tierbench.bookstore.web;

import tierbench.common.web.Form;

/** User name and password, with which customers say who they are. */
record Credentials(String uname, String password) {
  static Credentials read(Form form) {
    return new Credentials(form.nickname("UNAME", 20), form.text("PASSWD", 20));
  }
}
