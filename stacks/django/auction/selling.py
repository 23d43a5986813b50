"""Pages for those who sell."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST

from auction import forms
from auction.identity import sign
from auction.prices import FEE
from auction.rules import check_prices
from auction.site import bearer_of, store, user_of
from common.forms import read
from common.refusal import found


@require_POST
def select_category_to_sell_item(request: HttpRequest) -> HttpResponse:
    token = sign(user_of(read(forms.LogIn, request.POST)))
    return render(request, "select_category_to_sell_item.html", {"categories": store.categories(), "token": token})


@require_POST
def sell_item_form(request: HttpRequest) -> HttpResponse:
    choice = read(forms.CategoryChoice, request.POST)
    bearer_of(choice)
    category = found(store.category(choice["category"]), "category", choice["category"])
    return render(request, "sell_item_form.html", {"category": category, "choice": choice, "fee": FEE})


@require_POST
def register_item(request: HttpRequest) -> HttpResponse:
    form = read(forms.NewItem, request.POST)
    item = {
        "name": form["name"],
        "description": form["description"],
        "initial_price": form["initialPrice"],
        "quantity": form["quantity"],
        "reserve_price": form["reservePrice"],
        "buy_now": form["buyNow"],
        "seller_id": bearer_of(form),
        "category_id": form["category"],
    }
    category = found(store.category(form["category"]), "category", form["category"])
    check_prices(item["initial_price"], item["reserve_price"], item["buy_now"])
    added = store.sell(item, form["duration"])
    return render(request, "register_item.html", {"item": item, "added": added, "category": category, "fee": FEE})
