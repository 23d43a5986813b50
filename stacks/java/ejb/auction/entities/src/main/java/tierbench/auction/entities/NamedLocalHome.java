package tierbench.auction.entities;

import jakarta.ejb.FinderException;
import java.util.Collection;
import tierbench.ejb.LocalEntity;
import tierbench.ejb.LocalHome;

/** Local home of categories or regions. */
public interface NamedLocalHome extends LocalHome<NamedRow> {
  Collection<LocalEntity<NamedRow>> findAll() throws FinderException;
}
