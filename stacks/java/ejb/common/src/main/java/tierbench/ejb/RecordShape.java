package tierbench.ejb;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;

/** The shape of a record type: its components in order. */
final class RecordShape implements Shape {
  private static final ClassValue<RecordShape> KNOWN =
      new ClassValue<>() {
        @Override
        protected RecordShape computeValue(Class<?> type) {
          return new RecordShape(type.asSubclass(Record.class));
        }
      };

  private record Field(RecordComponent component, Shape shape) {}

  private final List<Field> fields;
  private final Constructor<? extends Record> constructor;

  private RecordShape(Class<? extends Record> type) {
    fields =
        Arrays.stream(type.getRecordComponents())
            .map(component -> new Field(component, Shape.of(component.getGenericType())))
            .toList();
    Class<?>[] types =
        fields.stream().map(field -> field.component().getType()).toArray(Class<?>[]::new);
    try {
      constructor = type.getDeclaredConstructor(types);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("every record has such a constructor", e);
    }
  }

  static RecordShape of(Class<? extends Record> type) {
    return KNOWN.get(type);
  }

  @Override
  public void write(Object value, DataOutput out) throws IOException {
    for (Field field : fields) {
      field.shape().write(valueOf(field, value), out);
    }
  }

  @Override
  public Object read(DataInput in) throws IOException {
    Object[] values = new Object[fields.size()];
    for (int at = 0; at < values.length; at++) {
      values[at] = fields.get(at).shape().read(in);
    }
    try {
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IOException("a record can't be made of what was sent", e);
    }
  }

  private static Object valueOf(Field field, Object value) throws IOException {
    try {
      return field.component().getAccessor().invoke(value);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IOException("a record can't be read", e);
    }
  }
}
