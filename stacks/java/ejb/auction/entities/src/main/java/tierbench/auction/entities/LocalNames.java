package tierbench.auction.entities;

import jakarta.ejb.FinderException;
import java.util.Collection;
import tierbench.ejb.LocalEntity;
import tierbench.ejb.LocalHome;

/** Where categories or regions are found from within their container. */
public interface LocalNames extends LocalHome<NamedRow> {
  Collection<LocalEntity<NamedRow>> findAll() throws FinderException;
}
