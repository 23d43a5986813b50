"""Sends the statements of the specification."""

from types import SimpleNamespace

from common.database import insert, rows


def all_comments() -> list[SimpleNamespace]:
    return rows("SELECT * FROM comments ORDER BY id")


def add(comment: dict) -> int:
    return insert("INSERT INTO comments (name, email, comment) VALUES (%(name)s, %(email)s, %(comment)s)", **comment)
