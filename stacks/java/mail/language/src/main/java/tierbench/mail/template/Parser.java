package tierbench.mail.template;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a template: HTML with tags in double brackets. */
final class Parser {
  private static final String OPEN = "[[";
  private static final String CLOSE = "]]";
  private static final String END = "end";
  private static final String ELSE = "else";

  /** A text with its quotation mark in front, a mark, or a name. */
  private static final Pattern WORD = Pattern.compile("(\"[^\"]*)\"?|[(),=]|[^ \n(),=]+");

  private final String source;
  private int at;

  /** By which word the last block ended; blank at the end of the template. */
  private String lastEnd = "";

  private Parser(String source) {
    this.source = source;
  }

  static List<Node> parse(String source) {
    Parser parser = new Parser(source);
    List<Node> nodes = parser.block();
    if (!parser.lastEnd.isEmpty()) {
      throw new IllegalArgumentException(
          "a template ends a block that it has not begun: " + parser.lastEnd);
    }
    return nodes;
  }

  private List<Node> block() {
    List<Node> nodes = new ArrayList<>();
    while (true) {
      String text = text();
      if (!text.isEmpty()) {
        nodes.add(new Node.Text(text));
      }
      List<String> words = at == source.length() ? List.of("") : tag();
      lastEnd = words.get(0);
      if (lastEnd.isEmpty() || lastEnd.equals(END) || lastEnd.equals(ELSE)) {
        return List.copyOf(nodes);
      }
      nodes.add(node(words));
    }
  }

  /** The text up to the next tag, or to the end. */
  private String text() {
    int open = source.indexOf(OPEN, at);
    int begin = at;
    at = open < 0 ? source.length() : open;
    return source.substring(begin, at);
  }

  private List<String> tag() {
    int close = source.indexOf(CLOSE, at);
    if (close < 0) {
      throw new IllegalArgumentException("a tag of a template has no end");
    }
    List<String> words = split(source.substring(at + OPEN.length(), close));
    at = close + CLOSE.length();
    if (words.isEmpty()) {
      throw new IllegalArgumentException("a tag of a template is empty");
    }
    return words;
  }

  private static List<String> split(String tag) {
    List<String> words = new ArrayList<>();
    Matcher matcher = WORD.matcher(tag);
    while (matcher.find()) {
      words.add(matcher.group(1) == null ? matcher.group() : matcher.group(1));
    }
    return words;
  }

  private Node node(List<String> words) {
    String verb = words.get(0);
    if (words.size() == 1) {
      return new Node.Show(Term.Path.of(verb));
    }
    if (verb.equals("for") && words.size() == 4 && words.get(2).equals("in")) {
      return new Node.Loop(words.get(1), Term.Path.of(words.get(3)), closedBlock());
    }
    if (verb.equals("if") && words.size() == 2) {
      return choice(Term.Path.of(words.get(1)));
    }
    if (verb.equals("include") && words.size() == 2) {
      return new Node.Include(words.get(1));
    }
    if (verb.equals("set") && words.size() == 4) {
      return new Node.Set(words.get(1), Term.of(words.get(3)));
    }
    if (verb.equals("set") && words.size() > 5) {
      return call(words);
    }
    throw new IllegalArgumentException("a template has an unknown tag: " + String.join(" ", words));
  }

  private List<Node> closedBlock() {
    List<Node> nodes = block();
    if (lastEnd.isEmpty()) {
      throw new IllegalArgumentException("a block of a template has no end");
    }
    return nodes;
  }

  private Node choice(Term.Path condition) {
    List<Node> yes = closedBlock();
    List<Node> no = lastEnd.equals(ELSE) ? closedBlock() : List.of();
    return new Node.Choice(condition, yes, no);
  }

  /** {@code set NAME = FUNCTION ( ARGUMENT , … )}. */
  private static Node call(List<String> words) {
    List<Term> arguments = new ArrayList<>();
    for (int place = 5; place + 1 < words.size(); place += 2) {
      arguments.add(Term.of(words.get(place)));
    }
    return new Node.Call(words.get(1), words.get(3), List.copyOf(arguments));
  }
}
