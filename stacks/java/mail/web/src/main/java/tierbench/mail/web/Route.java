package tierbench.mail.web;

import static java.util.Map.entry;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import tierbench.common.Fault;
import tierbench.common.web.Form;
import tierbench.mail.template.Value;

/**
 * How a path is to be asked for, which page answers, and what that takes.
 *
 * @param page blank for a file, which the servlet engine sends
 */
record Route(String method, String page, Kind kind, Parameters parameters) {
  /** Who may ask. */
  enum Kind {
    /** Anybody, for it is a file, or a page that is one. */
    FILE,
    /** Whoever brings a nickname and a password. */
    LOG_IN,
    /** Who is logged in. */
    SESSION
  }

  /** What a page takes from a form, in the order in which it is checked. */
  interface Parameters {
    Map<String, Value> read(Form form);
  }

  private static final String ROOT = "/mail/";
  private static final String TRIVIAL = "trivial/";
  private static final Parameters NONE = unused -> Map.of();
  private static final Pattern NICKNAME = Pattern.compile("[a-z0-9]{1,20}");
  private static final Pattern LETTER = Pattern.compile("[A-Z]");
  private static final int LAST_PAGE = 999_999;

  /** All there are, by their paths. */
  static final Map<String, Route> ALL = all();

  /** All that are made with what makes pages here. */
  static List<Route> pages() {
    return ALL.values().stream().filter(route -> !route.page().isEmpty()).toList();
  }

  private static Map<String, Route> all() {
    Map<String, Route> all = new HashMap<>();
    for (String file : List.of("index.html", "style.css", "logo.svg")) {
      all.put(ROOT + file, new Route("GET", "", Kind.FILE, NONE));
    }
    for (String name : List.of("LogIn", "ListMessages", "ReadMessage", "LogOut")) {
      String page = TRIVIAL + name;
      all.put(ROOT + page, new Route("GET", page, Kind.FILE, NONE));
      all.put(ROOT + page + ".html", new Route("GET", "", Kind.FILE, NONE));
    }
    for (Route route :
        List.of(
            new Route("POST", "LogIn", Kind.LOG_IN, NONE),
            new Route("GET", "ListMessages", Kind.SESSION, Route::readPage),
            new Route("GET", "ReadMessage", Kind.SESSION, Route::readMessage),
            new Route("POST", "DeleteMessage", Kind.SESSION, Route::readMessage),
            new Route("GET", "AddressBook", Kind.SESSION, Route::readLetter),
            new Route("GET", "WriteMessage", Kind.SESSION, Route::readRecipient),
            new Route("POST", "SendMessage", Kind.SESSION, Route::readNewMessage),
            new Route("GET", "LogOut", Kind.SESSION, NONE))) {
      all.put(route.path(), route);
    }
    return Map.copyOf(all);
  }

  String path() {
    return ROOT + page;
  }

  static String nickname(Form form, String name) {
    return form.matching(name, NICKNAME);
  }

  private static Map<String, Value> readPage(Form form) {
    return Map.of("page", Value.of(String.valueOf(form.whole("page", 0, LAST_PAGE))));
  }

  private static Map<String, Value> readMessage(Form form) {
    return Map.of("number", Value.of(String.valueOf(form.id("message"))));
  }

  private static Map<String, Value> readLetter(Form form) {
    List<Value> letters =
        IntStream.rangeClosed('A', 'Z').mapToObj(Character::toString).map(Value::of).toList();
    return Map.of(
        "letter", Value.of(form.matching("letter", LETTER)), "letters", Value.of(letters));
  }

  private static Map<String, Value> readRecipient(Form form) {
    return form.optional("to", name -> nickname(form, name))
        .map(to -> Map.of("to", Value.of(to)))
        .orElse(Map.of());
  }

  private static Map<String, Value> readNewMessage(Form form) {
    String to = nickname(form, "to");
    String subject = subject(form.text("subject", 100));
    return Map.ofEntries(
        entry("to", Value.of(to)),
        entry("subject", Value.of(subject)),
        entry("text", Value.of(form.text("text", 20_000))));
  }

  /** Loses the blanks at its ends. */
  private static String subject(String text) {
    int begin = 0;
    int end = text.length();
    while (begin < end && text.charAt(begin) == ' ') {
      begin++;
    }
    while (end > begin && text.charAt(end - 1) == ' ') {
      end--;
    }
    if (begin == end || text.chars().anyMatch(Character::isISOControl)) {
      throw Fault.parameter("subject");
    }
    return text.substring(begin, end);
  }
}
