package tierbench.auction.entities;

import java.time.LocalDateTime;

/** What a user says about another one, as far as who asks for its fields sees it. */
public interface CommentFields {
  int id();

  int author();

  int about();

  int item();

  int rating();

  LocalDateTime written();

  String text();
}
