"""What all routes share."""

from importlib import import_module
from typing import Annotated

from fastapi import Depends

from auction.forms import LogIn
from auction.identity import bearer, is_password
from auction.rules import wrong_log_in, wrong_token
from common.settings import ACCESS
from common.site import Pages

page = Pages("auction")

Store = Annotated[object, Depends(import_module(f"auction.{ACCESS}").open_store)]


def user_of(store: Store, form: LogIn) -> int:
    """The id of who logs in."""
    user = store.credentials(form.nickname)
    if user is None or not is_password(user.password, form.nickname, form.password):
        raise wrong_log_in()
    return user.id


def bearer_of(token: str) -> int:
    """The id of a token's user."""
    user = bearer(token)
    if user is None:
        raise wrong_token()
    return user
