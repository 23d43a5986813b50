package tierbench.ejb;

import jakarta.ejb.EJBLocalObject;

/** An entity of any kind, called from within its container. */
public interface LocalEntity<R extends Record> extends EJBLocalObject {
  Parcel<R> row();

  /** Takes over what differs of the columns that may change. */
  void change(Parcel<R> row);
}
