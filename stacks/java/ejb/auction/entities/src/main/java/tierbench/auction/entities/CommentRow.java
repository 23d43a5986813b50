package tierbench.auction.entities;

import java.time.LocalDateTime;

/** What a user says about another one, as its entity hands it over. */
public record CommentRow(
    int id, int author, int about, int item, int rating, LocalDateTime written, String text)
    implements CommentFields {}
