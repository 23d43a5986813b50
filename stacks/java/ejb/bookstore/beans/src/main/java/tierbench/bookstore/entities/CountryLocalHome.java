package tierbench.bookstore.entities;

import jakarta.ejb.FinderException;
import java.util.Collection;
import tierbench.bookstore.rules.Country;
import tierbench.ejb.LocalEntity;
import tierbench.ejb.LocalHome;

/** Local home of countries. */
public interface CountryLocalHome extends LocalHome<Country> {
  Collection<LocalEntity<Country>> findAll() throws FinderException;
}
