package tierbench.auction.rules;

/** Who wants to register: all columns but those that every new user has alike. */
public record NewUser(
    String firstname,
    String lastname,
    String nickname,
    String email,
    String passwordHash,
    int region) {}
