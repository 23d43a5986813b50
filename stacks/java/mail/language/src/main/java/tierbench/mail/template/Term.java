package tierbench.mail.template;

/** Something that stands for a text or a value. */
public sealed interface Term {
  /** A text, as it is written. */
  record Literal(String text) implements Term {}

  /** A value, or a field of it; blank if the value itself is meant. */
  record Path(String name, String field) implements Term {
    static Path of(String word) {
      int dot = word.indexOf('.');
      return dot < 0
          ? new Path(word, "")
          : new Path(word.substring(0, dot), word.substring(dot + 1));
    }
  }

  /** What a word of a tag stands for: texts begin with a quotation mark. */
  static Term of(String word) {
    return word.startsWith("\"") ? new Literal(word.substring(1)) : Path.of(word);
  }
}
