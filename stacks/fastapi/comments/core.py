"""Sends the statements of the specification."""

from collections.abc import Iterator
from contextlib import closing

from sqlalchemy import Row

from comments.forms import NewComment
from common.core import Session


class Store(Session):
    def list(self) -> list[Row]:
        return self.all("SELECT * FROM comments ORDER BY id")

    def add(self, comment: NewComment) -> int:
        sql = "INSERT INTO comments (name, email, comment) VALUES (:name, :email, :comment)"
        return self.insert(sql, **comment.model_dump())


def open_store() -> Iterator[Store]:
    with closing(Store()) as store:
        yield store
