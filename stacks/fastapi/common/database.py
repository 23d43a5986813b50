"""The pool of connections, and how SQLAlchemy reaches the database."""

import os

from sqlalchemy import URL, ColumnElement, DateTime, Engine, create_engine, func, literal_column

from common.settings import IS_POSTGRESQL, POOL

ADDRESS = URL.create(
    "postgresql+psycopg" if IS_POSTGRESQL else "mariadb+mysqldb",
    username=os.environ["TIERBENCH_DB_USER"],
    password=os.environ["TIERBENCH_DB_PASSWORD"],
    host=os.environ["TIERBENCH_DB_HOST"],
    port=int(os.environ["TIERBENCH_DB_PORT"]),
    database=os.environ["TIERBENCH_DB_NAME"],
    query={"sslmode": "disable"} if IS_POSTGRESQL else {"charset": "utf8mb4"},
)


def open_engine(**options) -> Engine:
    """Opens a pool, which replaces those connections that the server has closed."""
    return create_engine(ADDRESS, pool_size=POOL, max_overflow=0, pool_pre_ping=True, **options)


# The present of the database's clock, to the second, as the statement begins.
SECOND = "DATE_TRUNC('second', STATEMENT_TIMESTAMP())" if IS_POSTGRESQL else "NOW()"


def second() -> ColumnElement:
    return literal_column(SECOND, DateTime)


def days(count: int) -> ColumnElement:
    return literal_column(f"INTERVAL '{count}' DAY")


def last_month() -> ColumnElement:
    return func.now() - days(30)
