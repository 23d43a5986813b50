package tierbench.bookstore.web;

import java.sql.SQLException;
import tierbench.bookstore.data.Customers;
import tierbench.common.data.Session;
import tierbench.common.web.Form;

/** User name and password, with which customers say who they are. */
record LogIn(String uname, String password) {
  static LogIn read(Form form) {
    return new LogIn(form.nickname("UNAME", 20), form.text("PASSWD", 20));
  }

  /** The customer's id. */
  int customer(Session session) throws SQLException {
    return Customers.logIn(session, uname, password);
  }
}
