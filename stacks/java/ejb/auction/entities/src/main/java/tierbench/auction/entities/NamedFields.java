package tierbench.auction.entities;

import tierbench.auction.rules.Named;

/** A category or a region, as far as who asks for its fields sees it. */
public interface NamedFields {
  int id();

  String name();

  default Named named() {
    return new Named(id(), name());
  }
}
