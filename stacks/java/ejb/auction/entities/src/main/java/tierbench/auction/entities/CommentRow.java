package tierbench.auction.entities;

import java.time.LocalDateTime;

/** A comment on a user, as a value object. */
public record CommentRow(
    int id, int author, int about, int item, int rating, LocalDateTime written, String text)
    implements CommentFields {}
