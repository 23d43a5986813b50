package tierbench.mail.template;

import java.util.List;

/** A piece of a template. */
public sealed interface Node {
  void accept(Visitor visitor);

  static void acceptAll(List<Node> nodes, Visitor visitor) {
    nodes.forEach(node -> node.accept(visitor));
  }

  /** Whoever makes something of templates. */
  interface Visitor {
    void text(String html);

    void show(Term.Path path);

    void set(String name, Term term);

    void call(Call call);

    void repeat(Loop loop);

    void choose(Choice choice);

    void include(String template);
  }

  /** HTML as it stands there. */
  record Text(String html) implements Node {
    @Override
    public void accept(Visitor visitor) {
      visitor.text(html);
    }
  }

  /** {@code [[message.subject]]}: a value, safe as text and in quoted attributes. */
  record Show(Term.Path path) implements Node {
    @Override
    public void accept(Visitor visitor) {
      visitor.show(path);
    }
  }

  /** {@code [[set title = "Inbox"]]}: names a text. */
  record Set(String name, Term term) implements Node {
    @Override
    public void accept(Visitor visitor) {
      visitor.set(name, term);
    }
  }

  /** {@code [[set list = list(page)]]}: calls a function with texts, and names what it gives. */
  record Call(String name, String function, List<Term> arguments) implements Node {
    @Override
    public void accept(Visitor visitor) {
      visitor.call(this);
    }
  }

  /** {@code [[for message in list.messages]] … [[end]]}. */
  record Loop(String name, Term.Path list, List<Node> body) implements Node {
    @Override
    public void accept(Visitor visitor) {
      visitor.repeat(this);
    }
  }

  /** {@code [[if list.older]] … [[else]] … [[end]]}: whether a value is anything but empty. */
  record Choice(Term.Path condition, List<Node> yes, List<Node> no) implements Node {
    @Override
    public void accept(Visitor visitor) {
      visitor.choose(this);
    }
  }

  /** {@code [[include foot]]}: another template, which sees the same values. */
  record Include(String template) implements Node {
    @Override
    public void accept(Visitor visitor) {
      visitor.include(template);
    }
  }
}
