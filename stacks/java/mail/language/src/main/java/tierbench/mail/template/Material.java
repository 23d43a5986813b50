package tierbench.mail.template;

import java.util.List;

/** What a page is made of: values that it sees first, and functions that it can call. */
public interface Material {
  /** The attribute of a request that holds it. */
  String ATTRIBUTE = Material.class.getName();

  /** A value; nothing if there is none of this name. */
  Value value(String name);

  Value call(String function, List<String> arguments);
}
