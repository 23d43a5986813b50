package tierbench.common.web;

/** How a path is to be asked for, and by what it is answered. */
public sealed interface Route {
  String method();

  /** Whether it is answered over TLS only. */
  boolean isSecure();

  /** A page that is made for the request. */
  record Dynamic(String method, Interaction interaction, boolean isSecure) implements Route {
    public Dynamic overTls() {
      return new Dynamic(method, interaction, true);
    }
  }

  /** A file of the application. */
  record Static() implements Route {
    @Override
    public String method() {
      return "GET";
    }

    @Override
    public boolean isSecure() {
      return false;
    }
  }

  static Dynamic get(Interaction interaction) {
    return new Dynamic("GET", interaction, false);
  }

  static Dynamic post(Interaction interaction) {
    return new Dynamic("POST", interaction, false);
  }

  static Route file() {
    return new Static();
  }
}
