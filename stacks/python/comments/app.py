"""The comment page as an ASGI application."""

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from pathlib import Path

from jinja2 import Environment, FileSystemLoader

import database
from request import Refused, parameters, read_body

HTML = "text/html; charset=utf-8"
TYPES = {".html": HTML, ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml; charset=utf-8"}

# The folder mirrors URLs.
STATIC = Path(os.environ["STATIC_FILES"])
FILES = {f"/{path.relative_to(STATIC)}": path for path in STATIC.rglob("*") if path.is_file()}

TEMPLATES = FileSystemLoader(Path(__file__).parent / "templates")
PAGES = Environment(loader=TEMPLATES, autoescape=True, auto_reload=False)

# The names of the form's fields and their longest values, in the order in which they are checked.
FIELDS = {"name": 50, "email": 80, "comment": 2048}

# The drivers block, so pages are made in threads.
THREADS = ThreadPoolExecutor(int(os.environ["TIERBENCH_FACTOR_THREADS"]))


async def application(scope, receive, send):
    try:
        body = await read_body(receive)
    except ConnectionError:
        return
    status, content_type, page = await asyncio.get_running_loop().run_in_executor(THREADS, respond, scope, body)
    headers = [(b"content-type", content_type.encode()), (b"content-length", str(len(page)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": page})


def respond(scope, body):
    """The status, the content type and the page."""
    try:
        return HTTPStatus.OK, *answer(scope, body)
    except Refused as fault:
        return fault.status, HTML, render("error.html", heading=fault.heading, fault=fault.text)


def answer(scope, body):
    """The content type and the page, unless the request is refused."""
    path, method = scope["path"], scope["method"]
    if path in FILES:
        check_method(method, "GET")
        return TYPES[FILES[path].suffix], FILES[path].read_bytes()
    if path == "/comments/ListComments":
        check_method(method, "GET")
        return HTML, list_comments()
    if path == "/comments/StoreComment":
        check_method(method, "POST")
        if body is None:
            raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "Too long", "The request's body is too long.")
        return HTML, store_comment(parameters(body))
    raise Refused(HTTPStatus.NOT_FOUND, "Not found", "There is no such page.")


def check_method(method, allowed):
    if method != allowed:
        text = f"This page is for {allowed} requests only."
        raise Refused(HTTPStatus.METHOD_NOT_ALLOWED, "Wrong method", text)


def list_comments():
    return render("list_comments.html", comments=database.rows("SELECT * FROM comments ORDER BY id"))


def store_comment(fields):
    comment = {name: checked(fields, name) for name in FIELDS}
    statement = "INSERT INTO comments (name, email, comment) VALUES (%s, %s, %s)"
    comment["id"] = database.insert(statement, list(comment.values()))
    return render("store_comment.html", comment=comment)


def checked(fields, name):
    """The field's value, which must keep the rules."""
    [value, *_] = fields.get(name, [""])
    if not 1 <= len(value) <= FIELDS[name] or "\0" in value or (name == "email" and "@" not in value):
        text = f"The parameter {name} is missing, repeated or malformed."
        raise Refused(HTTPStatus.BAD_REQUEST, "Bad request", text)
    return value


def render(template, **values):
    return PAGES.get_template(template).render(values).encode()
