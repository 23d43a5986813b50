package tierbench.auction.cmp;

import jakarta.ejb.EJBException;
import jakarta.ejb.FinderException;
import jakarta.ejb.ObjectNotFoundException;
import java.util.Optional;
import tierbench.common.Fault;

/** Entities that may not be there. */
final class Lookup {
  private Lookup() {}

  /** A way to find an entity. */
  @FunctionalInterface
  interface Finder<T> {
    T find() throws FinderException;
  }

  static <T> Optional<T> find(Finder<T> finder) {
    try {
      return Optional.of(finder.find());
    } catch (ObjectNotFoundException e) {
      return Optional.empty();
    } catch (FinderException e) {
      throw new EJBException(e);
    }
  }

  /** An item, however old. */
  static ItemEntity item(Entities entities, int id) {
    return find(() -> entities.items().findByPrimaryKey(id))
        .or(() -> find(() -> entities.oldItems().findByPrimaryKey(id)))
        .orElseThrow(() -> Fault.unknown("item", id));
  }

  static NamedEntity named(NamedHome home, String kind, int id) {
    return find(() -> home.findByPrimaryKey(id)).orElseThrow(() -> Fault.unknown(kind, id));
  }

  static UserEntity user(UserHome home, int id) {
    return find(() -> home.findByPrimaryKey(id)).orElseThrow(() -> Fault.unknown("user", id));
  }
}
