package tierbench.ejb;

import jakarta.ejb.EJBLocalObject;

/** The local interface of all entities. */
public interface LocalEntity<R extends Record> extends EJBLocalObject {
  Parcel<R> row();

  /** Changes the columns that may change and differ. */
  void change(Parcel<R> row);
}
