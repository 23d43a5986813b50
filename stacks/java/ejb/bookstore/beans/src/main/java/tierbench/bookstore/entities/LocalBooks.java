package tierbench.bookstore.entities;

import jakarta.ejb.FinderException;
import java.util.Collection;
import tierbench.ejb.LocalEntity;
import tierbench.ejb.LocalHome;

/** Where books are found from within their container. */
public interface LocalBooks extends LocalHome<BookRow> {
  Collection<LocalEntity<BookRow>> findRelated(
      Integer first, Integer second, Integer third, Integer fourth, Integer fifth)
      throws FinderException;
}
