"""How forms are read. What pages say is verified against the model."""

import unittest

from request import MOST_PARAMETERS, Refused, parameters


class Parameters(unittest.TestCase):
    def test_values_are_decoded_and_empty_ones_kept(self):
        self.assertEqual(parameters(b"a=%C3%A4+b&c="), {"a": ["\u00e4 b"], "c": [""]})

    def test_what_cannot_be_read_is_refused(self):
        for body in (b"a=%FF", b"a=\xff", b"&".join([b"a=1"] * (MOST_PARAMETERS + 1))):
            with self.assertRaises(Refused):
                parameters(body)


if __name__ == "__main__":
    unittest.main()
