package tierbench.auction.entities;

import java.time.LocalDateTime;
import tierbench.common.Money;

/** A user, by its getters. */
public interface UserFields {
  int id();

  String firstname();

  String lastname();

  String nickname();

  String password();

  String email();

  int rating();

  Money balance();

  LocalDateTime created();

  int region();
}
