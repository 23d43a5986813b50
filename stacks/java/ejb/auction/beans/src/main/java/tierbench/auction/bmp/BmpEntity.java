package tierbench.auction.bmp;

import jakarta.ejb.EJBException;
import jakarta.ejb.EntityBean;
import jakarta.ejb.EntityContext;
import jakarta.ejb.NoSuchEntityException;
import jakarta.ejb.ObjectNotFoundException;
import java.io.Serial;
import java.sql.SQLException;
import java.util.Collection;
import tierbench.common.data.Database;
import tierbench.common.data.Session;
import tierbench.ejb.Parcel;
import tierbench.ejb.Source;

/**
 * An entity with bean-managed persistence: it loads and stores its row at the container's
 * callbacks. An unchanged row is not stored.
 */
public abstract class BmpEntity<R extends Record> implements EntityBean {
  @Serial private static final long serialVersionUID = 1;

  private transient EntityContext context;
  private transient Database database;
  private transient R row;
  private transient boolean isChanged;

  /** Statements in one session. */
  @FunctionalInterface
  private interface Statements<T> {
    T send(Session session) throws SQLException;
  }

  abstract Table<R> table();

  /** The locking clause of the query that finds an entity. */
  String lock() {
    return "";
  }

  @Override
  public void setEntityContext(EntityContext context) {
    this.context = context;
    database = Source.named("database");
  }

  @Override
  public void unsetEntityContext() {
    context = null;
  }

  @Override
  public void ejbActivate() {}

  @Override
  public void ejbPassivate() {
    row = null;
    isChanged = false;
  }

  @Override
  public void ejbRemove() {
    throw new UnsupportedOperationException("nothing is ever removed");
  }

  private <T> T send(Statements<T> statements) {
    try (Session session = database.session()) {
      return statements.send(session);
    } catch (SQLException e) {
      throw new EJBException(e);
    }
  }

  public Integer ejbCreate(Parcel<R> parcel) {
    row = parcel.content();
    isChanged = false;
    return send(session -> table().insert(session, row));
  }

  public void ejbPostCreate(Parcel<R> parcel) {}

  public Integer ejbFindByPrimaryKey(Integer id) throws ObjectNotFoundException {
    return one("WHERE id = ?" + lock(), id);
  }

  /** The id of the only row that a condition is true of. */
  Integer one(String condition, Object value) throws ObjectNotFoundException {
    return all(condition, value).stream()
        .findFirst()
        .orElseThrow(() -> new ObjectNotFoundException("there is no such row"));
  }

  Collection<Integer> all(String condition, Object... values) {
    return send(session -> table().ids(session, condition, values));
  }

  @Override
  public void ejbLoad() {
    Integer id = (Integer) context.getPrimaryKey();
    row =
        send(session -> table().find(session, id, lock()))
            .orElseThrow(() -> new NoSuchEntityException("row %d is gone".formatted(id)));
    isChanged = false;
  }

  @Override
  public void ejbStore() {
    if (isChanged) {
      send(
          session -> {
            table().update(session, row);
            return row;
          });
      isChanged = false;
    }
  }

  public Parcel<R> row() {
    return new Parcel<>(row);
  }

  public void change(Parcel<R> parcel) {
    row = parcel.content();
    isChanged = true;
  }
}
