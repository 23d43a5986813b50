package tierbench.auction.entities;

import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;

/**
 * Queries that EJB QL can't express: the database's time, a range of rows, the largest value. They
 * return ids; entities hold the rows.
 */
public interface Queries {
  /** The database's time. */
  LocalDateTime now() throws SQLException;

  /** The open items of a category, those that end first on top. */
  List<Integer> ofCategory(int category, int before, int size) throws SQLException;

  /** The open items of a category whose sellers live in a region, ending first on top. */
  List<Integer> ofRegion(int category, int region, int before, int size) throws SQLException;

  /** The bid with the highest maximum for an item. */
  Optional<Integer> leading(int item) throws SQLException;
}
