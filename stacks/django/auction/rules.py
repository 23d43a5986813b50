"""The rules of business: what is refused, and why."""

from decimal import Decimal

from auction.prices import CENT, Bid
from common.refusal import Link, Refusal

HOME = Link("/auction/index.html", "Home")


def wrong_log_in() -> Refusal:
    return Refusal(403, "The nickname or the password is wrong.", HOME)


def wrong_token() -> Refusal:
    return Refusal(403, "Your log-in is not valid or has expired. Please log in again.", HOME)


def nickname_taken(nickname: str) -> Refusal:
    text = f"The nickname {nickname} is taken. Please choose another one."
    return Refusal(409, text, Link("/auction/register.html", "Back to the form"))


def of_item(id: int, text: str) -> Refusal:
    return Refusal(409, text, Link(f"/auction/ViewItem?itemId={id}", "Back to the item"))


def of_sale(text: str) -> Refusal:
    return Refusal(409, text, Link("/auction/sell.html", "Back to selling"))


def own_item(id: int) -> Refusal:
    return of_item(id, "You can't bid on, buy or rate what you sell yourself.")


def check_bidder(item, user: int) -> None:
    if not item.open:
        raise of_item(item.id, "This auction is closed.")
    if item.seller_id == user:
        raise own_item(item.id)


def check_buyer(item, user: int) -> None:
    check_bidder(item, user)
    if item.at_once is None:
        raise of_item(item.id, "This item can't be bought at once.")


def check_quantity(item, wanted: int) -> None:
    if not 1 <= wanted <= item.quantity:
        raise of_item(item.id, f"The quantity must be from 1 to {item.quantity}.")


def check_bid(item, offer: Bid) -> None:
    check_bidder(item, offer.user)
    check_quantity(item, offer.qty)
    if offer.bid < item.least_bid:
        raise of_item(item.id, f"The bid must be at least {item.least_bid}.")
    if offer.most < offer.bid:
        raise of_item(item.id, "The most you would bid must not be less than your bid.")


def check_comment(item, author: int, seller: int) -> None:
    if item.seller_id != seller:
        raise of_item(item.id, f"User {seller} does not sell item {item.id}.")
    if author == seller:
        raise own_item(item.id)


def check_prices(initial: Decimal, reserve: Decimal, buy_now: Decimal) -> None:
    if initial < CENT:
        raise of_sale("The first price must be at least 0.01.")
    if reserve != 0 and reserve < initial:
        raise of_sale("The reserve price must be 0 or at least the first price.")
    if buy_now != 0 and buy_now < max(initial, reserve):
        raise of_sale("The price to buy at once must be 0 or at least the first and the reserve price.")
