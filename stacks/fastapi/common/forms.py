"""Types of parameters. Lengths are in code points. No text may have a NUL."""

import re
from decimal import Decimal
from typing import Annotated

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, StringConstraints
from pydantic.alias_generators import to_camel


class Parameters(BaseModel):
    """A form or a query. It is checked in the order of its fields."""

    model_config = ConfigDict(alias_generator=to_camel)


def text(most: int, pattern: str = r"^[^\x00]*$") -> type[str]:
    return Annotated[str, StringConstraints(min_length=1, max_length=most, pattern=pattern)]


def email(most: int) -> type[str]:
    return text(most, r"^[^\x00]*@[^\x00]*$")


def matching(pattern: str) -> BeforeValidator:
    """Demands that a value is written as the pattern says, before it becomes a number."""

    def check(value: object) -> str:
        if not isinstance(value, str) or not re.fullmatch(pattern, value):  # it may be a file
            raise ValueError("malformed")
        return value

    return BeforeValidator(check)


def to_the_cent(amount: Decimal) -> Decimal:
    return amount.quantize(Decimal("0.01"))


def whole(pattern: str) -> type[int]:
    return Annotated[int, matching(pattern)]


Id = whole(r"[1-9][0-9]{0,8}")
Count = whole(r"0|[1-9][0-9]{0,8}")
Money = Annotated[Decimal, matching(r"[0-9]{1,10}(\.[0-9]{1,2})?"), AfterValidator(to_the_cent)]
Nickname = text(20, r"^[A-Za-z0-9_.\-]+$")
