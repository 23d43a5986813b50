package tierbench.auction.rules;

import java.time.LocalDateTime;

/** A comment on a user's page. */
public record Remark(
    int from, String nickname, int item, int rating, LocalDateTime date, String text) {}
