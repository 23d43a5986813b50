package tierbench.auction.data;

import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.Optional;
import tierbench.auction.rules.NewUser;
import tierbench.auction.rules.PublicUser;
import tierbench.auction.rules.Refusal;
import tierbench.common.Fault;
import tierbench.common.Password;
import tierbench.common.data.Columns;
import tierbench.common.data.Session;

/** Those who sell, bid, buy and comment. */
public final class Users {
  private Users() {}

  private record Credentials(int id, String password) {}

  /** The id of the user who has this nickname and password. */
  public static int logIn(Session session, String nickname, String password) throws SQLException {
    return session
        .row(
            "SELECT id, password FROM users WHERE nickname = ?",
            row -> new Credentials(row.getInt("id"), row.getString("password")),
            nickname)
        .filter(user -> Password.isRight(nickname, password, user.password()))
        .orElseThrow(Refusal::wrongLogIn)
        .id();
  }

  /** Only for users whom another row refers to. */
  public static String nickname(Session session, int id) throws SQLException {
    return session
        .row("SELECT nickname FROM users WHERE id = ?", row -> row.getString("nickname"), id)
        .orElseThrow(() -> new IllegalStateException("there is no user %d".formatted(id)));
  }

  public static PublicUser find(Session session, int id) throws SQLException {
    return session
        .row(
            "SELECT nickname, rating, creation_date FROM users WHERE id = ?",
            row ->
                new PublicUser(
                    row.getString("nickname"),
                    row.getInt("rating"),
                    Columns.instant(row, "creation_date")),
            id)
        .orElseThrow(() -> Fault.unknown("user", id));
  }

  /**
   * Adds a user and returns the id. Looks first, so that a refusal uses up no id. Where two
   * register at once, the unique key refuses one of them.
   */
  public static int register(Session session, NewUser user) throws SQLException {
    Optional<Integer> other =
        session.row(
            "SELECT id FROM users WHERE nickname = ?", row -> row.getInt("id"), user.nickname());
    if (other.isPresent()) {
      throw Refusal.nicknameTaken(user.nickname());
    }
    try {
      return insert(session, user);
    } catch (SQLException e) {
      if (Session.isDuplicate(e)) {
        throw Refusal.nicknameTaken(user.nickname());
      }
      throw e;
    }
  }

  private static int insert(Session session, NewUser user) throws SQLException {
    return session.insert(
        """
        INSERT INTO users (firstname, lastname, nickname, password, email, rating, balance, creation_date, region)
        VALUES (?, ?, ?, ?, ?, 0, 0, %s, ?)"""
            .formatted(session.now()),
        user.firstname(),
        user.lastname(),
        user.nickname(),
        user.passwordHash(),
        user.email(),
        user.region());
  }

  public static LocalDateTime registered(Session session, int id) throws SQLException {
    return session
        .row(
            "SELECT creation_date FROM users WHERE id = ?",
            row -> Columns.instant(row, "creation_date"),
            id)
        .orElseThrow(() -> new IllegalStateException("user %d is gone".formatted(id)));
  }
}
