package tierbench.auction.facade;

import jakarta.ejb.EJBException;
import jakarta.ejb.SessionContext;
import java.io.Serial;
import java.sql.SQLException;
import java.util.List;
import tierbench.auction.entities.Now;
import tierbench.common.data.Database;
import tierbench.common.data.Session;
import tierbench.ejb.Parcel;
import tierbench.ejb.Source;
import tierbench.ejb.Stateless;

/** Asks the database for servlets that call entities themselves. */
public class QueriesBean implements Stateless {
  @Serial private static final long serialVersionUID = 1;

  private transient Database database;

  /** A question to the facade. */
  @FunctionalInterface
  private interface Question<T> {
    T of(JdbcQueries queries) throws SQLException;
  }

  @Override
  public void setSessionContext(SessionContext context) {
    database = Source.named("queries");
  }

  private <T> T ask(Question<T> question) {
    try (Session session = database.session()) {
      return question.of(new JdbcQueries(session));
    } catch (SQLException e) {
      throw new EJBException(e);
    }
  }

  private int[] ids(Question<List<Integer>> question) {
    return ask(question).stream().mapToInt(Integer::intValue).toArray();
  }

  public Parcel<Now> now() {
    return new Parcel<>(ask(queries -> new Now(queries.now())));
  }

  public int[] ofCategory(int category, int before, int size) {
    return ids(queries -> queries.ofCategory(category, before, size));
  }

  public int[] ofRegion(int category, int region, int before, int size) {
    return ids(queries -> queries.ofRegion(category, region, before, size));
  }

  public int[] leading(int item) {
    return ids(queries -> queries.leading(item).stream().toList());
  }
}
