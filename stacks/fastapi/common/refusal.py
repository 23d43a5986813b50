"""Why a request is refused, as the error page tells it."""

from http import HTTPStatus
from typing import NamedTuple, TypeVar

from starlette.exceptions import HTTPException

Row = TypeVar("Row")

HEADINGS = {400: "Bad request", 403: "Access denied", 404: "Not found", 409: "Refused"}


class Link(NamedTuple):
    href: str
    text: str


class Refusal(HTTPException):
    def __init__(self, status: int, text: str, onward: Link | None = None) -> None:
        super().__init__(status, text)
        self.onward = onward


def heading(status: int) -> str:
    return HEADINGS.get(status) or HTTPStatus(status).phrase


def wrong_parameter(name: str) -> Refusal:
    return Refusal(400, f"The parameter {name} is missing, repeated or malformed.")


def found(row: Row | None, what: str, id: int) -> Row:
    """The row, if there is one."""
    if row is None:
        raise Refusal(404, f"There is no {what} {id}.")
    return row
