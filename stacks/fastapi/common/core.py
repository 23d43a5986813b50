"""How statements are sent by SQLAlchemy Core."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from sqlalchemy import Connection, CursorResult, Row, text

from common.database import open_engine
from common.settings import IS_POSTGRESQL

# A statement alone needs no transaction around it.
engine = open_engine(isolation_level="AUTOCOMMIT", skip_autocommit_rollback=True)
transactions = engine.execution_options(isolation_level="READ COMMITTED" if IS_POSTGRESQL else "REPEATABLE READ")

statement = cache(text)


class Session:
    """Sends a request's statements on one connection, which it takes from the pool for the first of them."""

    def __init__(self) -> None:
        self.connection: Connection | None = None

    def execute(self, sql: str, **values) -> CursorResult:
        if self.connection is None:
            self.connection = engine.connect()
        return self.connection.execute(statement(sql), values)

    def all(self, sql: str, **values) -> list[Row]:
        return list(self.execute(sql, **values))

    def first(self, sql: str, **values) -> Row | None:
        return self.execute(sql, **values).first()

    def insert(self, sql: str, **values) -> int:
        """Returns the id of the new row."""
        if IS_POSTGRESQL:
            return self.execute(f"{sql} RETURNING id", **values).scalar_one()
        return self.execute(sql, **values).lastrowid

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self.close()
        with transactions.begin() as self.connection:
            yield
        self.connection = None

    def close(self) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None
