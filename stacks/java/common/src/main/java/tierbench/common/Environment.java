package tierbench.common;

import java.util.Map;

/** What the one who runs this stack has set in the environment of its processes. */
public record Environment(Map<String, String> variables) {
  public static Environment ofProcess() {
    return new Environment(System.getenv());
  }

  public String get(String name) {
    String value = variables.get(name);
    if (value == null) {
      throw new IllegalStateException("the environment has no " + name);
    }
    return value;
  }
}
