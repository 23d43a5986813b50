package tierbench.mail.template;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/**
 * Translates templates into JSP, when they are built. What templates include becomes part of the
 * page, and what they name a variable, so that nothing is looked up when the page is asked for but
 * what the request has brought.
 */
public final class Translator implements Node.Visitor {
  private static final String ENDING = ".html";
  private static final String HEAD =
      "<%@page contentType=\"text/html;charset=utf-8\" pageEncoding=\"UTF-8\" session=\"false\" isELIgnored=\"true\""
          + " import=\"java.util.List,tierbench.mail.template.Material,tierbench.mail.template.Value\"%><%\n"
          + "Material material = (Material) request.getAttribute(Material.ATTRIBUTE);\n%>";

  private final Templates templates;
  private final StringBuilder jsp = new StringBuilder(HEAD);

  /** The names that variables have, from the innermost block outwards. */
  private final Deque<Set<String>> scopes = new ArrayDeque<>();

  private Translator(Templates templates) {
    this.templates = templates;
    scopes.push(new HashSet<>());
  }

  /**
   * Translates the templates of a folder into another one, but for those that are parts of others:
   * names of pages begin with a capital.
   */
  public static void main(String[] folders) throws IOException {
    Path from = Path.of(folders[0]);
    Templates templates = new Templates(from, true);
    Path to = Files.createDirectories(Path.of(folders[1]));
    try (DirectoryStream<Path> pages = Files.newDirectoryStream(from, "[A-Z]*" + ENDING)) {
      for (Path page : pages) {
        String file = page.getFileName().toString();
        String name = file.substring(0, file.length() - ENDING.length());
        Files.writeString(to.resolve(name + ".jsp"), translated(name, templates));
      }
    }
  }

  static String translated(String name, Templates templates) {
    Translator translator = new Translator(templates);
    translator.include(name);
    return translator.jsp.toString();
  }

  @Override
  public void text(String html) {
    jsp.append(html.replace("<%", "<\\%"));
  }

  @Override
  public void show(Term.Path path) {
    jsp.append("<%=").append(value(path)).append(".html()%>");
  }

  @Override
  public void set(String name, Term term) {
    define(name, "Value.of(" + text(term) + ")");
  }

  @Override
  public void call(Node.Call call) {
    String arguments = call.arguments().stream().map(this::text).collect(joining(", "));
    define(
        call.name(), "material.call(" + quoted(call.function()) + ", List.of(" + arguments + "))");
  }

  @Override
  public void repeat(Node.Loop loop) {
    String list = value(loop.list());
    code("for (Value " + variable(loop.name()) + " : " + list + ".items()) {");
    scopes.push(new HashSet<>(Set.of(loop.name())));
    Node.acceptAll(loop.body(), this);
    scopes.pop();
    code("}");
  }

  @Override
  public void choose(Node.Choice choice) {
    code("if (!" + value(choice.condition()) + ".isEmpty()) {");
    Set<String> before = Set.copyOf(scopes.element());
    Node.acceptAll(choice.yes(), this);
    code("} else {");
    Node.acceptAll(choice.no(), this);
    code("}");
    // In the language it would be seen behind the block, in Java it is not.
    if (!scopes.element().equals(before)) {
      throw new IllegalArgumentException(
          "a template sets a name first in a condition: set it before, if only to \"\"");
    }
  }

  @Override
  public void include(String template) {
    Node.acceptAll(templates.get(template), this);
  }

  private void code(String java) {
    jsp.append("<% ").append(java).append(" %>");
  }

  private void define(String name, String java) {
    boolean isNew = scopes.element().add(name);
    code((isNew ? "Value " : "") + variable(name) + " = " + java + ";");
  }

  private String text(Term term) {
    return term instanceof Term.Literal literal
        ? quoted(literal.text())
        : value((Term.Path) term) + ".text()";
  }

  private String value(Term.Path path) {
    boolean isVariable = scopes.stream().anyMatch(scope -> scope.contains(path.name()));
    String value =
        isVariable ? variable(path.name()) : "material.value(" + quoted(path.name()) + ")";
    return path.field().isEmpty() ? value : value + ".field(" + quoted(path.field()) + ")";
  }

  /** No word of Java, whatever the name is. */
  private static String variable(String name) {
    return "its_" + name;
  }

  /** Texts hold no quotation marks and no line ends. */
  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\") + '"';
  }
}
