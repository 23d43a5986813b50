"""Why a request is refused, as the error page tells it."""

from typing import NamedTuple, TypeVar

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

Row = TypeVar("Row")

HEADINGS = {400: "Bad request", 403: "Access denied", 404: "Not found", 409: "Refused", 500: "Internal error"}


class Link(NamedTuple):
    href: str
    text: str


class Refusal(Exception):
    def __init__(self, status: int, text: str, onward: Link | None = None) -> None:
        super().__init__(text)
        self.status, self.text, self.onward = status, text, onward

    @property
    def heading(self) -> str:
        return HEADINGS[self.status]


class RefusalMiddleware:
    def __init__(self, get_response) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, fault: Exception) -> HttpResponse | None:
        return error_page(request, fault) if isinstance(fault, Refusal) else None


def error_page(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    return render(request, "error.html", {"refusal": refusal}, status=refusal.status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_page(request, Refusal(400, "This request can not be answered."))


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_page(request, Refusal(404, "There is no such page."))


def server_error(request: HttpRequest) -> HttpResponse:
    return error_page(request, Refusal(500, "Something went wrong here. Please try again later."))


def wrong_parameter(name: str) -> Refusal:
    return Refusal(400, f"The parameter {name} is missing, repeated or malformed.")


def found(row: Row | None, what: str, id: int) -> Row:
    """The row, if there is one."""
    if row is None:
        raise Refusal(404, f"There is no {what} {id}.")
    return row
