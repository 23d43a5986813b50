package tierbench.bookstore.entities;

import jakarta.ejb.FinderException;
import java.util.Collection;
import tierbench.bookstore.rules.Country;
import tierbench.ejb.LocalEntity;
import tierbench.ejb.LocalHome;

/** Where countries are found from within their container. */
public interface LocalCountries extends LocalHome<Country> {
  Collection<LocalEntity<Country>> findAll() throws FinderException;
}
