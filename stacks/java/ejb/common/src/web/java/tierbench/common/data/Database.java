package tierbench.common.data;

import java.util.Optional;
import tierbench.common.Environment;

/** The database of servlets that leave it to beans: they have none, and fail if they use it. */
@SuppressWarnings("DoNotCallSuggester")
public final class Database implements AutoCloseable {
  private Database() {}

  public static Database open(Environment environment) {
    return new Database();
  }

  /** It never takes a connection. */
  public Session session() {
    return new Session(this);
  }

  @Override
  public void close() {}

  Connections connections() {
    throw new IllegalStateException("whoever needs data asks a bean");
  }

  Isolation isolation() {
    throw new IllegalStateException("whoever needs data asks a bean");
  }

  Optional<EntityLocks> locks() {
    return Optional.empty();
  }
}
