"""Passwords, and the tokens with which users show that they have logged in."""

import hashlib
import hmac
import re
import time

from django.conf import settings

LIFE_IN_SECONDS = 3600


def password_hash(nickname: str, password: str) -> str:
    return hashlib.sha256(f"{nickname}:{password}".encode()).hexdigest()


def is_password(stored: str, nickname: str, password: str) -> bool:
    return hmac.compare_digest(stored, password_hash(nickname, password))


def signature(claim: str) -> str:
    return hmac.digest(settings.SECRET_KEY.encode(), claim.encode(), "sha256").hex()


def sign(user: int) -> str:
    claim = f"{user}.{int(time.time()) + LIFE_IN_SECONDS}"
    return f"{claim}.{signature(claim)}"


def bearer(token: str) -> int | None:
    """The user of a token, unless it is forged or has expired."""
    match = re.fullmatch(r"(([0-9]{1,9})\.([0-9]{1,12}))\.([0-9a-f]{64})", token)
    if not match:
        return None
    claim, user, expires, signed = match.groups()
    is_valid = hmac.compare_digest(signed, signature(claim)) and int(time.time()) <= int(expires)
    return int(user) if is_valid else None
