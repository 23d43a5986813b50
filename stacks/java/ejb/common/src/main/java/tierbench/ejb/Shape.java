package tierbench.ejb;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The serialised form of a type's values. */
interface Shape {
  void write(Object value, DataOutput out) throws IOException;

  Object read(DataInput in) throws IOException;

  /** The shape for a record component's type. */
  static Shape of(Type type) {
    return type instanceof ParameterizedType generic ? ofParts(generic) : of((Class<?>) type);
  }

  private static Shape ofParts(ParameterizedType type) {
    Shape inner = of(type.getActualTypeArguments()[0]);
    if (type.getRawType() == Map.class) {
      return new MapShape(inner, of(type.getActualTypeArguments()[1]));
    }
    return type.getRawType() == List.class ? new ListShape(inner) : new OptionalShape(inner);
  }

  private static Shape of(Class<?> type) {
    // Type arguments are never primitive.
    Class<?> unboxed = MethodType.methodType(type).unwrap().returnType();
    for (Plain plain : Plain.values()) {
      if (plain.type == unboxed) {
        return plain;
      }
    }
    return type.isEnum()
        ? new EnumShape(List.of(type.getEnumConstants()))
        : new NestedShape(type.asSubclass(Record.class));
  }

  /** A value without parts. */
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
    },
    DAY(LocalDate.class) {
      @Override
      public void write(Object value, DataOutput out) throws IOException {
        out.writeLong(((LocalDate) value).toEpochDay());
      }

      @Override
      public Object read(DataInput in) throws IOException {
        return LocalDate.ofEpochDay(in.readLong());
      }
    },
    MONTH(YearMonth.class) {
      @Override
      public void write(Object value, DataOutput out) throws IOException {
        YearMonth month = (YearMonth) value;
        out.writeInt(month.getYear());
        out.writeInt(month.getMonthValue());
      }

      @Override
      public Object read(DataInput in) throws IOException {
        return YearMonth.of(in.readInt(), in.readInt());
      }
    };

    private final Class<?> type;

    Plain(Class<?> type) {
      this.type = type;
    }
  }

  /** A constant of an enum. */
  record EnumShape(List<?> values) implements Shape {
    @Override
    public void write(Object value, DataOutput out) throws IOException {
      out.writeInt(values.indexOf(value));
    }

    @Override
    public Object read(DataInput in) throws IOException {
      return values.get(in.readInt());
    }
  }

  /** A record within a record, whose shape is looked up only when it is used. */
  record NestedShape(Class<? extends Record> type) implements Shape {
    @Override
    public void write(Object value, DataOutput out) throws IOException {
      RecordShape.of(type).write(value, out);
    }

    @Override
    public Object read(DataInput in) throws IOException {
      return RecordShape.of(type).read(in);
    }
  }

  /** An optional value. */
  record OptionalShape(Shape inner) implements Shape {
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

  /** A list. */
  record ListShape(Shape inner) implements Shape {
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

  /** A map, in no order. */
  record MapShape(Shape key, Shape value) implements Shape {
    @Override
    public void write(Object all, DataOutput out) throws IOException {
      Map<?, ?> pairs = (Map<?, ?>) all;
      out.writeInt(pairs.size());
      for (Map.Entry<?, ?> pair : pairs.entrySet()) {
        key.write(pair.getKey(), out);
        value.write(pair.getValue(), out);
      }
    }

    @Override
    public Object read(DataInput in) throws IOException {
      int size = in.readInt();
      Map<Object, Object> pairs = new HashMap<>();
      for (int at = 0; at < size; at++) {
        Object first = key.read(in);
        pairs.put(first, value.read(in));
      }
      return pairs;
    }
  }
}
