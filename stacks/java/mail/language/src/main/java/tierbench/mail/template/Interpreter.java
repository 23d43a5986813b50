package tierbench.mail.template;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Makes a page of a template and its material, tag by tag. */
public final class Interpreter implements Node.Visitor {
  private final Templates templates;
  private final Material material;
  private final StringBuilder html = new StringBuilder();

  /** Names inside hide those outside. */
  private final Deque<Map<String, Value>> scopes = new ArrayDeque<>();

  private Interpreter(Templates templates, Material material) {
    this.templates = templates;
    this.material = material;
    scopes.push(new HashMap<>());
  }

  public static String page(String name, Templates templates, Material material) {
    Interpreter interpreter = new Interpreter(templates, material);
    interpreter.include(name);
    return interpreter.html.toString();
  }

  @Override
  public void text(String text) {
    html.append(text);
  }

  @Override
  public void show(Term.Path path) {
    html.append(find(path).html());
  }

  @Override
  public void set(String name, Term term) {
    define(name, Value.of(text(term)));
  }

  @Override
  public void call(Node.Call call) {
    List<String> arguments = call.arguments().stream().map(this::text).toList();
    define(call.name(), material.call(call.function(), arguments));
  }

  @Override
  public void repeat(Node.Loop loop) {
    for (Value item : find(loop.list()).items()) {
      scopes.push(new HashMap<>(Map.of(loop.name(), item)));
      Node.acceptAll(loop.body(), this);
      scopes.pop();
    }
  }

  @Override
  public void choose(Node.Choice choice) {
    Node.acceptAll(find(choice.condition()).isEmpty() ? choice.no() : choice.yes(), this);
  }

  @Override
  public void include(String template) {
    Node.acceptAll(templates.get(template), this);
  }

  private void define(String name, Value value) {
    scopes.element().put(name, value);
  }

  private String text(Term term) {
    return term instanceof Term.Literal literal ? literal.text() : find((Term.Path) term).text();
  }

  private Value find(Term.Path path) {
    Value value = named(path.name());
    return path.field().isEmpty() ? value : value.field(path.field());
  }

  private Value named(String name) {
    for (Map<String, Value> scope : scopes) {
      Value value = scope.get(name);
      if (value != null) {
        return value;
      }
    }
    return material.value(name);
  }
}
