import unittest
from decimal import Decimal

from auction.prices import Bid, Priced, settle


def bid(user, least, most):
    return Bid(user=user, qty=1, bid=Decimal(least), most=Decimal(most))


class Settling(unittest.TestCase):
    def test_the_first_bid_and_ones_own_are_taken_as_they_are(self):
        offer = bid(1, "5.00", "9.00")
        self.assertEqual(settle(offer, None), [offer])
        self.assertEqual(settle(offer, bid(1, "4.00", "20.00")), [offer])

    def test_who_would_pay_more_leads_by_a_cent(self):
        self.assertEqual(settle(bid(1, "5.00", "9.00"), bid(2, "4.00", "7.00")), [bid(1, "7.01", "9.00")])
        self.assertEqual(settle(bid(1, "8.00", "9.00"), bid(2, "4.00", "7.00")), [bid(1, "8.00", "9.00")])

    def test_the_leader_answers_whom_they_outbid(self):
        bids = settle(bid(1, "5.00", "6.00"), bid(2, "4.00", "7.00"))
        self.assertEqual(bids, [bid(1, "6.00", "6.00"), bid(2, "6.01", "7.00")])
        self.assertEqual(settle(bid(1, "5.00", "7.00"), bid(2, "4.00", "7.00"))[1], bid(2, "7.00", "7.00"))


class Item(Priced):
    initial_price = Decimal("3.00")
    buy_now = Decimal("5.00")
    max_bid = None


class Prices(unittest.TestCase):
    def test_an_item_without_bids_has_its_first_price(self):
        self.assertEqual((Item().price, Item().least_bid), (Decimal("3.00"), Decimal("3.00")))

    def test_bids_end_the_price_to_buy_at_once(self):
        item = Item()
        self.assertEqual(item.at_once, Decimal("5.00"))
        item.max_bid = Decimal("5.00")
        self.assertEqual((item.least_bid, item.at_once), (Decimal("5.01"), None))


if __name__ == "__main__":
    unittest.main()
