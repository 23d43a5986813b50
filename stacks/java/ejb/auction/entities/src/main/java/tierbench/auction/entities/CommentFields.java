package tierbench.auction.entities;

import java.time.LocalDateTime;

/** A comment on a user, by its getters. */
public interface CommentFields {
  int id();

  int author();

  int about();

  int item();

  int rating();

  LocalDateTime written();

  String text();
}
