"""What all views share."""

from importlib import import_module

from django.conf import settings

from auction.identity import bearer, is_password
from auction.rules import wrong_log_in, wrong_token

store = import_module(f"auction.{settings.ACCESS}")


def user_of(form: dict) -> int:
    """The id of who logs in."""
    nickname, password = form["nickname"], form["password"]
    user = store.credentials(nickname)
    if user is None or not is_password(user.password, nickname, password):
        raise wrong_log_in()
    return user.id


def bearer_of(form: dict) -> int:
    """The id of a token's user."""
    user = bearer(form["token"])
    if user is None:
        raise wrong_token()
    return user
