package tierbench.common.web;

/** How a path is to be asked for, and by what it is answered. */
public sealed interface Route {
  String method();

  /** A page that is made for the request. */
  record Dynamic(String method, Interaction interaction) implements Route {}

  /** A file of the application. */
  record Static() implements Route {
    @Override
    public String method() {
      return "GET";
    }
  }

  static Route get(Interaction interaction) {
    return new Dynamic("GET", interaction);
  }

  static Route post(Interaction interaction) {
    return new Dynamic("POST", interaction);
  }

  static Route file() {
    return new Static();
  }
}
