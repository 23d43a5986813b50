package tierbench.ejb;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serial;
import java.io.Serializable;

/**
 * A value as servlets and beans hand it to each other, field by field. The values themselves are
 * plain records that know nothing of remote calls, and most containers' protocols know nothing of
 * records. It travels as bytes, since IIOP takes a mark of the byte order for its own where it
 * meets one at the beginning of a text.
 */
public final class Parcel<T extends Record> implements Serializable {
  @Serial private static final long serialVersionUID = 1;

  /**
   * GlassFish copies what stays within its process field by field, which can't be done with
   * records. What has native code it leaves to serialization, so each parcel refers to such a thing
   * first.
   */
  private transient Object uncopied = Uncopied.ONE;

  private transient T content;

  public Parcel(T content) {
    this.content = content;
  }

  public T content() {
    return content;
  }

  @Serial
  private void writeObject(ObjectOutputStream out) throws IOException {
    out.defaultWriteObject();
    out.writeUTF(content.getClass().getName());
    ByteArrayOutputStream fields = new ByteArrayOutputStream();
    RecordShape.of(content.getClass()).write(content, new DataOutputStream(fields));
    out.writeInt(fields.size());
    out.write(fields.toByteArray());
  }

  @Serial
  @SuppressWarnings("unchecked")
  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    uncopied = Uncopied.ONE;
    Class<?> type = Class.forName(in.readUTF(), false, Parcel.class.getClassLoader());
    byte[] fields = new byte[in.readInt()];
    in.readFully(fields);
    DataInputStream all = new DataInputStream(new ByteArrayInputStream(fields));
    content = (T) RecordShape.of(type.asSubclass(Record.class)).read(all);
  }

  private static final class Uncopied {
    static final Uncopied ONE = new Uncopied();

    @SuppressWarnings("unused")
    private native void neverCalled();
  }
}
