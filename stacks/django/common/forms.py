"""Fields of forms. Lengths are in code points. Django lets no text have a NUL."""

from decimal import Decimal

from django.forms import CharField, Form, RegexField
from django.http import QueryDict

from common.refusal import wrong_parameter


def read(form: type[Form], parameters: QueryDict) -> dict:
    """The values of a form. The first field that is wrong is named to the user."""
    bound = form(parameters)
    if not bound.is_valid():
        raise wrong_parameter(next(iter(bound.errors)))
    return bound.cleaned_data


class Text(CharField):
    def __init__(self, most: int) -> None:
        super().__init__(max_length=most, strip=False)


class Matching(RegexField):
    def __init__(self, pattern: str, most: int | None = None) -> None:
        super().__init__(rf"\A(?:{pattern})\Z", max_length=most, strip=False)


class Email(Matching):
    def __init__(self, most: int) -> None:
        super().__init__(r"(?s:.*@.*)", most)


class Nickname(Matching):
    def __init__(self) -> None:
        super().__init__(r"[A-Za-z0-9_.\-]+", 20)


class Whole(Matching):
    def clean(self, value: str | None) -> int:
        return int(super().clean(value))


class Id(Whole):
    def __init__(self) -> None:
        super().__init__("[1-9][0-9]{0,8}")


class Count(Whole):
    def __init__(self) -> None:
        super().__init__("0|[1-9][0-9]{0,8}")


class Money(Matching):
    def __init__(self) -> None:
        super().__init__(r"[0-9]{1,10}(\.[0-9]{1,2})?")

    def clean(self, value: str | None) -> Decimal:
        return Decimal(super().clean(value)).quantize(Decimal("0.01"))
