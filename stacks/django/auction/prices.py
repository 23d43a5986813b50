"""Prices, and how bids raise them."""

from dataclasses import dataclass, replace
from decimal import Decimal

CENT = Decimal("0.01")
FEE = Decimal("1.00")


class Priced:
    """The prices of an item. Lists have open items only, and do not read whether they are."""

    open: bool = True

    @property
    def price(self) -> Decimal:
        """The highest bid so far, or else the first price."""
        return self.initial_price if self.max_bid is None else self.max_bid

    @property
    def least_bid(self) -> Decimal:
        return self.initial_price if self.max_bid is None else self.max_bid + CENT

    @property
    def at_once(self) -> Decimal | None:
        """The price to buy one at once, which an open item offers until the bids reach it."""
        return self.buy_now if self.open and self.price < self.buy_now else None

    @property
    def outcome(self) -> str:
        """What came of an auction that is over."""
        if self.quantity == 0:
            return "bought"
        return "sold" if self.max_bid is not None and self.max_bid >= self.reserve_price else "not sold"


@dataclass(frozen=True)
class Bid:
    user: int
    qty: int
    bid: Decimal
    most: Decimal


def settle(offer: Bid, leader: Bid | None) -> list[Bid]:
    """Bids by proxy: for the leader, by as little as it takes. Returns the bids to record, the one that leads at last."""
    if leader is None or leader.user == offer.user:
        return [offer]
    if leader.most < offer.most:
        return [replace(offer, bid=max(offer.bid, min(leader.most + CENT, offer.most)))]
    return [replace(offer, bid=offer.most), replace(leader, bid=min(offer.most + CENT, leader.most))]
