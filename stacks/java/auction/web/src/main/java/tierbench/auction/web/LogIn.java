package tierbench.auction.web;

import java.sql.SQLException;
import tierbench.auction.data.Users;
import tierbench.common.data.Session;
import tierbench.common.web.Form;

/** Nickname and password, with which users say who they are. */
record LogIn(String nickname, String password) {
  static LogIn read(Form form) {
    return new LogIn(form.nickname("nickname", 20), form.text("password", 20));
  }

  /** The user's id. */
  int user(Session session) throws SQLException {
    return Users.logIn(session, nickname, password);
  }
}
