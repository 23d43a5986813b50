import os
import unittest

os.environ |= {"SITE_FOLDER": "", "SITE_PROCESSES": "1", "TIERBENCH_DB_SERVICE": "", "TIERBENCH_TOKEN_KEY": "secret"}
os.environ |= {"TIERBENCH_FACTOR_ACCESS": "", "TIERBENCH_FACTOR_POOL": "1"}

from auction.identity import bearer, is_password, password_hash, sign, signature


class Identity(unittest.TestCase):
    def test_a_token_holds_for_its_user(self):
        self.assertEqual(bearer(sign(17)), 17)

    def test_forged_and_expired_tokens_hold_for_nobody(self):
        for token in ("", "17", f"1{sign(17)}", f"{sign(17)}\n", f"17.1000000000.{signature('17.1000000000')}"):
            self.assertIsNone(bearer(token))

    def test_a_password_is_that_of_one_nickname(self):
        stored = password_hash("ada", "secret")
        self.assertTrue(is_password(stored, "ada", "secret"))
        self.assertFalse(is_password(stored, "eve", "secret"))


if __name__ == "__main__":
    unittest.main()
