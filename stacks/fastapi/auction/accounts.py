"""Pages for those who have an account, or want one."""

from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from sqlalchemy.exc import IntegrityError

from auction.forms import LogIn, NewUser
from auction.identity import password_hash
from auction.rules import nickname_taken
from auction.site import Store, page, user_of
from common.refusal import wrong_parameter

router = APIRouter(prefix="/auction")


@router.post("/RegisterUser")
def register_user(request: Request, store: Store, user: Annotated[NewUser, Form()]) -> Response:
    region = store.region(user.region)
    if region is None:
        raise wrong_parameter("region")
    if store.is_taken(user.nickname):
        raise nickname_taken(user.nickname)
    try:
        added = store.register(user, password_hash(user.nickname, user.password))
    except IntegrityError as fault:  # somebody else was faster
        raise nickname_taken(user.nickname) from fault
    return page(request, "register_user", user=user, added=added, region=region)


@router.post("/AboutMe")
def about_me(request: Request, store: Store, form: Annotated[LogIn, Form()]) -> Response:
    id = user_of(store, form)
    return page(
        request,
        "about_me",
        user=store.owner(id),
        bids=store.own_bids(id),
        won=store.own_won(id),
        bought=store.own_bought(id),
        selling=store.own_open(id),
        sold=store.own_closed(id),
        comments=store.comments_about(id),
    )
