"""How requests are read. What pages say is verified against the model."""

import unittest

from request import HOST, MOST_SEPARATORS, Refused, parameters, path_of


class Parameters(unittest.TestCase):
    def test_broken_escapes_stay_as_they_are(self):
        self.assertEqual(parameters(b"a=%zz+%4&b=%41%"), {b"a": [b"%zz %4"], b"b": [b"A%"]})

    def test_names_are_compared_after_decoding(self):
        self.assertEqual(parameters(b"a=1&%61=2"), {b"a": [b"1", b"2"]})

    def test_a_value_may_contain_equals_signs_and_semicolons(self):
        self.assertEqual(parameters(b"a=1=2;b=3"), {b"a": [b"1=2;b=3"]})

    def test_empty_parameters_are_skipped_and_empty_values_are_kept(self):
        self.assertEqual(parameters(b"&&a&b="), {b"a": [b""], b"b": [b""]})

    def test_only_so_many_separators_are_read(self):
        parameters(b"&" * MOST_SEPARATORS)
        with self.assertRaises(Refused):
            parameters(b"&" * (MOST_SEPARATORS + 1))


class Head(unittest.TestCase):
    def test_a_host_is_a_name_or_an_address(self):
        for host in (b"127.0.0.1:8080", b"[::1]:80", b"example.org", b""):
            self.assertTrue(HOST.fullmatch(host), host)
        for host in (b"<b>x</b>", b"a b", b"a/b"):
            self.assertFalse(HOST.fullmatch(host), host)

    def test_a_path_is_that_of_an_absolute_address_too(self):
        for path in (b"/comments/x", b"http://127.0.0.1/comments/x"):
            self.assertEqual(path_of({"raw_path": path}), "/comments/x")


if __name__ == "__main__":
    unittest.main()
