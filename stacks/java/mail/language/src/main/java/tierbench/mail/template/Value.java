package tierbench.mail.template;

import java.util.List;
import java.util.Map;

/** What a template works with: a text, a list, or fields with names. */
public record Value(String text, List<Value> items, Map<String, Value> fields) {
  public static final Value NOTHING = of("");

  public static Value of(String text) {
    return new Value(text, List.of(), Map.of());
  }

  public static Value of(List<Value> items) {
    return new Value("", items, Map.of());
  }

  public static Value of(Map<String, Value> fields) {
    return new Value("", List.of(), fields);
  }

  public boolean isEmpty() {
    return text.isEmpty() && items.isEmpty() && fields.isEmpty();
  }

  public Value field(String name) {
    return fields.getOrDefault(name, NOTHING);
  }

  /** Its text, safe as text and in quoted attributes. */
  public String html() {
    StringBuilder html = new StringBuilder(text.length() + 16);
    for (int at = 0; at < text.length(); at++) {
      char letter = text.charAt(at);
      switch (letter) {
        case '&' -> html.append("&amp;");
        case '<' -> html.append("&lt;");
        case '>' -> html.append("&gt;");
        case '"' -> html.append("&quot;");
        case '\'' -> html.append("&#39;");
        default -> html.append(letter);
      }
    }
    return html.toString();
  }
}
