"""Statements in MariaDB or PostgreSQL. Each thread has a connection of its own; each statement is a transaction."""

import os
import select
import threading

import MySQLdb
import psycopg2

SERVICE, HOST, PORT, NAME, USER, PASSWORD = (
    os.environ["TIERBENCH_DB_" + name] for name in ("SERVICE", "HOST", "PORT", "NAME", "USER", "PASSWORD")
)

thread = threading.local()


def insert(statement, values):
    """Inserts a row and returns its id."""
    if SERVICE == "postgresql":
        return execute(statement + " RETURNING id", values).fetchone()[0]
    return execute(statement, values).lastrowid


def rows(statement):
    return execute(statement).fetchall()


def execute(statement, values=None):
    if not hasattr(thread, "connection") or is_closed(thread.connection):
        thread.connection = connect()
    cursor = thread.connection.cursor()
    cursor.execute(statement, values)
    return cursor


def is_closed(connection):
    """Whether the server has closed an idle connection: there is something to read although nobody has asked."""
    poll = select.poll()  # select() itself knows only 1024 descriptors
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))


def connect():
    log_in = {"host": HOST, "port": int(PORT), "database": NAME, "user": USER, "password": PASSWORD}
    if SERVICE == "mariadb":
        # The character set is in a file, because the argument `charset` would cost a SET NAMES.
        settings = os.path.join(os.path.dirname(__file__), "mariadb.cnf")
        return MySQLdb.connect(autocommit=True, read_default_file=settings, **log_in)
    connection = psycopg2.connect(sslmode="disable", client_encoding="UTF8", **log_in)
    connection.autocommit = True
    return connection
