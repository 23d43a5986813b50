package tierbench.ejb;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How the values of a type are written, and read again. */
interface Shape {
  void write(Object value, DataOutput out) throws IOException;

  Object read(DataInput in) throws IOException;

  /** That of a type that fields of our values have. */
  static Shape of(Type type) {
    if (type instanceof ParameterizedType generic) {
      Shape inner = of(generic.getActualTypeArguments()[0]);
      return generic.getRawType() == List.class ? new Many(inner) : new Perhaps(inner);
    }
    for (Plain plain : Plain.values()) {
      if (plain.type == type) {
        return plain;
      }
    }
    return new Nested(((Class<?>) type).asSubclass(Record.class));
  }

  /** What has no parts. */
  enum Plain implements Shape {
    NUMBER(int.class) {
      @Override
      public void write(Object value, DataOutput out) throws IOException {
        out.writeInt((int) value);
      }

      @Override
      public Object read(DataInput in) throws IOException {
        return in.readInt();
      }
    },
    LARGE_NUMBER(long.class) {
      @Override
      public void write(Object value, DataOutput out) throws IOException {
        out.writeLong((long) value);
      }

      @Override
      public Object read(DataInput in) throws IOException {
        return in.readLong();
      }
    },
    TRUTH(boolean.class) {
      @Override
      public void write(Object value, DataOutput out) throws IOException {
        out.writeBoolean((boolean) value);
      }

      @Override
      public Object read(DataInput in) throws IOException {
        return in.readBoolean();
      }
    },
    TEXT(String.class) {
      @Override
      public void write(Object value, DataOutput out) throws IOException {
        out.writeUTF((String) value);
      }

      @Override
      public Object read(DataInput in) throws IOException {
        return in.readUTF();
      }
    },
    INSTANT(LocalDateTime.class) {
      @Override
      public void write(Object value, DataOutput out) throws IOException {
        LocalDateTime instant = (LocalDateTime) value;
        out.writeLong(instant.toEpochSecond(ZoneOffset.UTC));
        out.writeInt(instant.get(ChronoField.NANO_OF_SECOND));
      }

      @Override
      public Object read(DataInput in) throws IOException {
        return LocalDateTime.ofEpochSecond(in.readLong(), in.readInt(), ZoneOffset.UTC);
      }
    };

    private final Class<?> type;

    Plain(Class<?> type) {
      this.type = type;
    }
  }

  /** A record within a record, whose shape may be asked for while that of the outer one is made. */
  record Nested(Class<? extends Record> type) implements Shape {
    @Override
    public void write(Object value, DataOutput out) throws IOException {
      RecordShape.of(type).write(value, out);
    }

    @Override
    public Object read(DataInput in) throws IOException {
      return RecordShape.of(type).read(in);
    }
  }

  /** What may be missing. */
  record Perhaps(Shape inner) implements Shape {
    @Override
    public void write(Object value, DataOutput out) throws IOException {
      Optional<?> there = (Optional<?>) value;
      out.writeBoolean(there.isPresent());
      if (there.isPresent()) {
        inner.write(there.get(), out);
      }
    }

    @Override
    public Object read(DataInput in) throws IOException {
      return in.readBoolean() ? Optional.of(inner.read(in)) : Optional.empty();
    }
  }

  /** As many as there are. */
  record Many(Shape inner) implements Shape {
    @Override
    public void write(Object value, DataOutput out) throws IOException {
      List<?> all = (List<?>) value;
      out.writeInt(all.size());
      for (Object one : all) {
        inner.write(one, out);
      }
    }

    @Override
    public Object read(DataInput in) throws IOException {
      int size = in.readInt();
      List<Object> all = new ArrayList<>(size);
      for (int at = 0; at < size; at++) {
        all.add(inner.read(in));
      }
      return all;
    }
  }
}
