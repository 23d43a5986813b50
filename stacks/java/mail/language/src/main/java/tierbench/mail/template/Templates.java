package tierbench.mail.template;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The templates in a folder. */
public final class Templates {
  private final Path folder;
  private final boolean areKept;
  private final Map<String, List<Node>> kept = new ConcurrentHashMap<>();

  /** Either each template is read once and kept, or anew each time that it is asked for. */
  public Templates(Path folder, boolean areKept) {
    this.folder = folder;
    this.areKept = areKept;
  }

  List<Node> get(String name) {
    return areKept ? kept.computeIfAbsent(name, this::read) : read(name);
  }

  private List<Node> read(String name) {
    try {
      return Parser.parse(Files.readString(folder.resolve(name + ".html")));
    } catch (IOException e) {
      throw new UncheckedIOException("there is no template " + name, e);
    }
  }
}
