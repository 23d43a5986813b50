"""Sends the application's files, and one page from the database for everything else."""

import mimetypes
import os
from html import escape
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import FileResponse, HTMLResponse
from sqlalchemy import URL, create_engine, text

mimetypes.add_type("image/svg+xml; charset=utf-8", ".svg")


def database(name):
    return os.environ["TIERBENCH_DB_" + name]


DRIVERS = {"mariadb": "mariadb+pymysql", "postgresql": "postgresql+psycopg"}
engine = create_engine(
    URL.create(
        DRIVERS[database("SERVICE")],
        username=database("USER"),
        password=database("PASSWORD"),
        host=database("HOST"),
        port=int(database("PORT")),
        database=database("NAME"),
    )
)

# Both databases describe themselves so.
TABLES = text(
    "SELECT table_name FROM information_schema.tables"
    " WHERE table_schema NOT IN ('information_schema', 'performance_schema', 'pg_catalog') ORDER BY table_name"
)

# The folder mirrors URLs: static/comments/style.css is /comments/style.css.
FILES = Path(os.environ["SITE_FOLDER"]) / "static"
STATIC = {"/" + str(path.relative_to(FILES)): path for path in FILES.rglob("*") if path.is_file()}

app = FastAPI(openapi_url=None)


@app.api_route("/{path:path}", methods=["GET", "POST"])
def page(path: str):
    file = STATIC.get("/" + path)
    if file is not None:
        return FileResponse(file)
    with engine.connect() as connection:
        names = connection.execute(TABLES).scalars()
        items = "".join(f"<li>{escape(name)}</li>" for name in names)
    return HTMLResponse(
        '<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"><title>__STACK__</title></head>\n'
        f"<body><h1>__STACK__ answers</h1><p>The database has these tables:</p><ul>{items}</ul></body>\n</html>\n"
    )
