package tierbench.auction.entities;

import jakarta.ejb.EJBException;
import jakarta.ejb.EJBObject;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.sql.Timestamp;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import tierbench.common.Money;

/**
 * The getters of entities of a kind, by the fields that they tell. A row that is read with them is
 * one call of the entity for each field that is asked for, when it is first asked for.
 */
record Getters<V>(Class<V> fields, Map<Method, Method> byField) {
  /** Methods that fields and the entity's interface have in common. */
  static <V> Getters<V> of(Class<? extends EJBObject> entity, Class<V> fields) {
    return new Getters<>(
        fields,
        Arrays.stream(fields.getMethods())
            .filter(field -> !field.isDefault())
            .collect(Collectors.toMap(Function.identity(), field -> getter(entity, field))));
  }

  private static Method getter(Class<?> entity, Method field) {
    String name = field.getName();
    try {
      return entity.getMethod(
          "get" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1));
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("%s has no getter for %s".formatted(entity, name), e);
    }
  }

  V row(EJBObject entity) {
    Map<Method, Object> known = new HashMap<>();
    InvocationHandler answers =
        (row, field, arguments) -> {
          if (field.isDefault()) {
            return InvocationHandler.invokeDefault(row, field, arguments);
          }
          return known.computeIfAbsent(field, first -> ask(entity, first));
        };
    return fields.cast(
        Proxy.newProxyInstance(fields.getClassLoader(), new Class<?>[] {fields}, answers));
  }

  private Object ask(EJBObject entity, Method field) {
    try {
      Object value = value(byField.get(field).invoke(entity));
      return field.getReturnType() == Optional.class ? Optional.ofNullable(value) : value;
    } catch (InvocationTargetException e) {
      throw new EJBException("an entity has not answered", e);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("remote interfaces are public", e);
    }
  }

  /** The field's value for a column's. */
  private static Object value(Object column) {
    if (column instanceof BigDecimal amount) {
      return Money.of(amount);
    }
    return column instanceof Timestamp time ? time.toLocalDateTime() : column;
  }
}
