package tierbench.mail.back;

/** Somebody in the directory. */
record Person(int number, String nickname, String firstname, String lastname, String address) {}
