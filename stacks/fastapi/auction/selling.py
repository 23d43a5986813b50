"""Pages for those who sell."""

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response

from auction.forms import CategoryChoice, LogIn, NewItem
from auction.identity import sign
from auction.prices import FEE
from auction.rules import check_prices
from auction.site import Store, bearer_of, page, user_of
from common.refusal import found

router = APIRouter(prefix="/auction")


@router.post("/SelectCategoryToSellItem")
def select_category_to_sell_item(request: Request, store: Store, form: Annotated[LogIn, Form()]) -> Response:
    token = sign(user_of(store, form))
    return page(request, "select_category_to_sell_item", categories=store.categories(), token=token)


@router.post("/SellItemForm")
def sell_item_form(request: Request, store: Store, choice: Annotated[CategoryChoice, Form()]) -> Response:
    bearer_of(choice.token)
    category = found(store.category(choice.category), "category", choice.category)
    return page(request, "sell_item_form", category=category, choice=choice, fee=FEE)


@router.post("/RegisterItem")
def register_item(request: Request, store: Store, item: Annotated[NewItem, Form()]) -> Response:
    seller = bearer_of(item.token)
    category = found(store.category(item.category), "category", item.category)
    check_prices(item.initial_price, item.reserve_price, item.buy_now)
    added = store.sell(item, seller)
    return page(request, "register_item", item=item, added=added, category=category, fee=FEE)
