package tierbench.mail.web;

import java.util.List;
import java.util.Map;
import tierbench.mail.template.Material;
import tierbench.mail.template.Value;

/**
 * What a request has brought, and what its page can call.
 *
 * @param values the parameters
 */
record Visit(Map<String, Value> values, Part functions) implements Material {
  /** A part of the site that others ask to do something. */
  interface Part {
    Value call(String function, List<String> arguments);
  }

  /** A page that shows a few texts, and calls nothing. */
  static Visit showing(Map<String, Value> values) {
    return new Visit(
        values,
        (function, arguments) -> {
          throw new IllegalStateException("this page can't call " + function);
        });
  }

  @Override
  public Value value(String name) {
    return values.getOrDefault(name, Value.NOTHING);
  }

  @Override
  public Value call(String function, List<String> arguments) {
    return functions.call(function, arguments);
  }
}
