package tierbench.common.web;

import gg.jte.models.runtime.JteModel;
import java.sql.SQLException;

/** One thing that a user does and that yields a page. */
@FunctionalInterface
public interface Interaction {
  /** The page. Throws a {@link tierbench.common.Fault} if the request is refused. */
  JteModel answer(Visit visit) throws SQLException;
}
