package tierbench.auction.entities;

import tierbench.auction.rules.Named;

/** A category or a region, by its getters. */
public interface NamedFields {
  int id();

  String name();

  default Named named() {
    return new Named(id(), name());
  }
}
