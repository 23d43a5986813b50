package tierbench.auction.rules;

import java.time.LocalDateTime;

/** What everybody may know about a user. */
public record PublicUser(String nickname, int rating, LocalDateTime registered) {}
