package tierbench.bookstore.entities;

import jakarta.ejb.FinderException;
import java.util.Collection;
import tierbench.ejb.LocalEntity;
import tierbench.ejb.LocalHome;

/** Local home of books. */
public interface BookLocalHome extends LocalHome<BookRow> {
  Collection<LocalEntity<BookRow>> findRelated(
      Integer first, Integer second, Integer third, Integer fourth, Integer fifth)
      throws FinderException;
}
