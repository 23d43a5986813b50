package tierbench.auction.entities;

import java.time.LocalDateTime;
import tierbench.common.Money;

/** Who sells, bids, buys and comments, as far as who asks for its fields sees it. */
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
