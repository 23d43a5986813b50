"""How statements are sent by Django's connections."""

from types import SimpleNamespace

from django.conf import settings
from django.db import connection

# The present of the database's clock, to the second, as the statement begins.
SECOND = "DATE_TRUNC('second', STATEMENT_TIMESTAMP())" if settings.IS_POSTGRESQL else "NOW()"


def fetch(sql: str, **values) -> list[dict]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        names = [name for name, *_ in cursor.description]
        return [dict(zip(names, row)) for row in cursor.fetchall()]


def rows(sql: str, **values) -> list[SimpleNamespace]:
    return [SimpleNamespace(**row) for row in fetch(sql, **values)]


def first(sql: str, **values) -> SimpleNamespace | None:
    return next(iter(rows(sql, **values)), None)


def execute(sql: str, **values) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)


def insert(sql: str, **values) -> int:
    """Returns the id of the new row."""
    with connection.cursor() as cursor:
        if settings.IS_POSTGRESQL:
            cursor.execute(f"{sql} RETURNING id", values)
            return cursor.fetchone()[0]
        cursor.execute(sql, values)
        return cursor.lastrowid
