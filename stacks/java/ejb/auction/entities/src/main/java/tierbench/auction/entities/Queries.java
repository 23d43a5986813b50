package tierbench.auction.entities;

import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;

/**
 * What the query language of entities can't say: the database's time, some rows of many, the
 * largest one. Only ids come of it; what they stand for is the entities' affair.
 */
public interface Queries {
  /** Now, as the database knows it. */
  LocalDateTime now() throws SQLException;

  /** The open items of a category, those that end first on top. */
  List<Integer> ofCategory(int category, int before, int size) throws SQLException;

  /** Those of them whose sellers live in a region. */
  List<Integer> ofRegion(int category, int region, int before, int size) throws SQLException;

  /** The bid of who would pay most for an item. */
  Optional<Integer> leading(int item) throws SQLException;
}
