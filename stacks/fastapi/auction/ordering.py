"""Pages for those who bid, buy and rate."""

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response

from auction.forms import CommentLogIn, ItemId, ItemLogIn, NewComment, Offer, Order
from auction.identity import sign
from auction.prices import Bid, settle
from auction.rules import check_bid, check_bidder, check_buyer, check_comment, check_quantity
from auction.site import Store, bearer_of, page, user_of
from common.forms import Id
from common.refusal import found

router = APIRouter(prefix="/auction")


@router.get("/BuyNowAuth")
def buy_now_auth(request: Request, item_id: ItemId) -> Response:
    return log_in_page(request, "/auction/BuyNow", "Log in to buy now", itemId=item_id)


@router.get("/PutBidAuth")
def put_bid_auth(request: Request, item_id: ItemId) -> Response:
    return log_in_page(request, "/auction/PutBid", "Log in to bid", itemId=item_id)


@router.get("/PutCommentAuth")
def put_comment_auth(request: Request, item_id: ItemId, to: Id) -> Response:
    return log_in_page(request, "/auction/PutComment", "Log in to rate the seller", itemId=item_id, to=to)


def log_in_page(request: Request, action: str, title: str, **hidden: int) -> Response:
    return page(request, "log_in", action=action, title=title, hidden=hidden)


@router.post("/BuyNow")
def buy_now(request: Request, store: Store, form: Annotated[ItemLogIn, Form()]) -> Response:
    user = user_of(store, form)
    item = found(store.item_for_sale(form.item_id), "item", form.item_id)
    check_buyer(item, user)
    return page(request, "buy_now", item=item, seller=store.nickname(item.seller), token=sign(user))


@router.post("/StoreBuyNow")
def store_buy_now(request: Request, store: Store, order: Annotated[Order, Form()]) -> Response:
    buyer = bearer_of(order.token)
    with store.transaction():
        item = found(store.lock_for_purchase(order.item_id), "item", order.item_id)
        check_buyer(item, buyer)
        check_quantity(item, order.qty)
        id = store.buy(item, buyer, order.qty)
    return page(request, "store_buy_now", id=id, item=item, qty=order.qty)


@router.post("/PutBid")
def put_bid(request: Request, store: Store, form: Annotated[ItemLogIn, Form()]) -> Response:
    user = user_of(store, form)
    item = found(store.item_for_sale(form.item_id), "item", form.item_id)
    check_bidder(item, user)
    return page(request, "put_bid", item=item, seller=store.nickname(item.seller), token=sign(user))


@router.post("/StoreBid")
def store_bid(request: Request, store: Store, offer: Annotated[Offer, Form()]) -> Response:
    bid = Bid(user=bearer_of(offer.token), qty=offer.qty, bid=offer.bid, most=offer.max_bid)
    with store.transaction():
        item = found(store.lock_for_bid(offer.item_id), "item", offer.item_id)
        check_bid(item, bid)
        bids = settle(bid, store.leader(item))
        id = store.add_bids(item, bids)
    values = {"leads": len(bids) == 1, "price": bids[-1].bid}
    return page(request, "store_bid", id=id, item_id=offer.item_id, bid=bids[0], **values)


@router.post("/PutComment")
def put_comment(request: Request, store: Store, form: Annotated[CommentLogIn, Form()]) -> Response:
    user = user_of(store, form)
    item = found(store.item_topic(form.item_id), "item", form.item_id)
    check_comment(item, user, form.to)
    return page(request, "put_comment", item=item, seller=store.nickname(item.seller), token=sign(user))


@router.post("/StoreComment")
def store_comment(request: Request, store: Store, comment: Annotated[NewComment, Form()]) -> Response:
    author = bearer_of(comment.token)
    item = found(store.item_topic(comment.item_id), "item", comment.item_id)
    check_comment(item, author, comment.to)
    return page(request, "store_comment", id=store.comment(comment, author), item=item, comment=comment)
