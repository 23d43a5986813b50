"""Pages for those who bid, buy and rate."""

from django.db.transaction import atomic
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from auction import forms
from auction.identity import sign
from auction.prices import Bid, settle
from auction.rules import check_bid, check_bidder, check_buyer, check_comment, check_quantity
from auction.site import bearer_of, store, user_of
from common.forms import read
from common.refusal import found


@require_GET
def buy_now_auth(request: HttpRequest) -> HttpResponse:
    return log_in_page(request, "/auction/BuyNow", "Log in to buy now", forms.Item)


@require_GET
def put_bid_auth(request: HttpRequest) -> HttpResponse:
    return log_in_page(request, "/auction/PutBid", "Log in to bid", forms.Item)


@require_GET
def put_comment_auth(request: HttpRequest) -> HttpResponse:
    return log_in_page(request, "/auction/PutComment", "Log in to rate the seller", forms.Topic)


def log_in_page(request: HttpRequest, action: str, title: str, form: type[Form]) -> HttpResponse:
    hidden = read(form, request.GET)
    return render(request, "log_in.html", {"action": action, "title": title, "hidden": hidden})


@require_POST
def buy_now(request: HttpRequest) -> HttpResponse:
    return order_page(request, "buy_now.html", check_buyer)


@require_POST
def put_bid(request: HttpRequest) -> HttpResponse:
    return order_page(request, "put_bid.html", check_bidder)


def order_page(request: HttpRequest, template: str, check) -> HttpResponse:
    """Logs a user in and shows an item, if the check allows them to order it."""
    form = read(forms.ItemLogIn, request.POST)
    user = user_of(form)
    item = found(store.item_for_sale(form["itemId"]), "item", form["itemId"])
    check(item, user)
    values = {"item": item, "seller": store.nickname(item.seller_id), "token": sign(user)}
    return render(request, template, values)


@require_POST
def store_buy_now(request: HttpRequest) -> HttpResponse:
    order = read(forms.Order, request.POST)
    buyer, id, qty = bearer_of(order), order["itemId"], order["qty"]
    with atomic():
        item = found(store.lock_for_purchase(id), "item", id)
        check_buyer(item, buyer)
        check_quantity(item, qty)
        purchase = store.buy(item, buyer, qty)
    return render(request, "store_buy_now.html", {"id": purchase, "item": item, "qty": qty})


@require_POST
def store_bid(request: HttpRequest) -> HttpResponse:
    offer = read(forms.Offer, request.POST)
    id = offer["itemId"]
    bid = Bid(user=bearer_of(offer), qty=offer["qty"], bid=offer["bid"], most=offer["maxBid"])
    with atomic():
        item = found(store.lock_for_bid(id), "item", id)
        check_bid(item, bid)
        bids = settle(bid, store.leader(item))
        added = store.add_bids(item, bids)
    values = {"id": added, "item_id": id, "bid": bids[0], "leads": len(bids) == 1, "price": bids[-1].bid}
    return render(request, "store_bid.html", values)


@require_POST
def put_comment(request: HttpRequest) -> HttpResponse:
    form = read(forms.TopicLogIn, request.POST)
    user = user_of(form)
    item = found(store.item_topic(form["itemId"]), "item", form["itemId"])
    check_comment(item, user, form["to"])
    values = {"item": item, "seller": store.nickname(item.seller_id), "token": sign(user)}
    return render(request, "put_comment.html", values)


@require_POST
def store_comment(request: HttpRequest) -> HttpResponse:
    comment = read(forms.NewComment, request.POST)
    author, to = bearer_of(comment), comment["to"]
    item = found(store.item_topic(comment["itemId"]), "item", comment["itemId"])
    check_comment(item, author, to)
    added = store.comment(author, to, item.id, comment["rating"], comment["comment"])
    return render(request, "store_comment.html", {"id": added, "item": item, "comment": comment})
