package tierbench.common;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PasswordTest {
  @Test
  void isHashedWithTheNickname() {
    String hash = "c9cfb33c228d25592e1ab9c56f892ae5f4fb3ff52130c5d041a7b3b1118485f5";
    assertEquals(hash, Password.hash("user1", "pässword"));
    assertTrue(Password.isRight("user1", "pässword", hash));
    assertFalse(Password.isRight("user2", "pässword", hash));
    assertFalse(Password.isRight("user1", "password", hash));
  }
}
