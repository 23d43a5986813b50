package tierbench.auction;

public record NewUser(
    String firstname,
    String lastname,
    String nickname,
    String email,
    String password,
    int region) {}
