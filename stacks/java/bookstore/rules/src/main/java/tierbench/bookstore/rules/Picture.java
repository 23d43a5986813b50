package tierbench.bookstore.rules;

import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The two pictures of each book. */
public enum Picture {
  IMAGE("image"),
  THUMBNAIL("thumb");

  private static final int FOLDERS = 100;

  private final Pattern form;

  Picture(String name) {
    form = Pattern.compile("images/([0-9]{1,2})/" + name + "_([1-9][0-9]{0,8})\\.png");
  }

  /** Whether it is the path of any picture. */
  public static boolean isPathOfAny(String path) {
    return Arrays.stream(values()).anyMatch(kind -> kind.isPath(path));
  }

  /** Whether it is the path of such a picture, in the folder that its number says. */
  public boolean isPath(String path) {
    Matcher matcher = form.matcher(path);
    return matcher.matches()
        && matcher.group(1).equals(Integer.toString(Integer.parseInt(matcher.group(2)) % FOLDERS));
  }
}
