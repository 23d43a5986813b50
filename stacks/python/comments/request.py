"""How a request is read: byte by byte, where libraries would clean it up."""

import re
from http import HTTPStatus
from urllib.parse import unquote_to_bytes

LONGEST_BODY = 2_097_152
MOST_SEPARATORS = 999
# Lines of 16,000 bytes are answered and lines of 20,000 refused; this leaves out their method and version.
LONGEST_TARGET = 18_000
MOST_HEADERS = 200
# A name or an address, and perhaps a port.
HOST = re.compile(rb"(\[[0-9A-Fa-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(:\d*)?")


class Refused(Exception):
    """Why a request is refused, as the error page tells it."""

    def __init__(self, status, heading, text):
        super().__init__(text)
        self.status, self.heading, self.text = status, heading, text


def check_head(scope):
    """Refuses what h11 lets pass."""
    if not scope["http_version"].startswith("1."):
        raise Refused(HTTPStatus.HTTP_VERSION_NOT_SUPPORTED, "Wrong version", "This site speaks HTTP/1.1 only.")
    if len(scope["raw_path"]) + len(scope["query_string"]) > LONGEST_TARGET:
        raise Refused(HTTPStatus.REQUEST_URI_TOO_LONG, "Too long", "The request's address is too long.")
    headers = scope["headers"]
    if any(name == b"host" and not HOST.fullmatch(value) for name, value in headers):
        raise Refused(HTTPStatus.BAD_REQUEST, "Bad request", "The request's host is malformed.")
    if len(headers) > MOST_HEADERS or any(len(value) > LONGEST_TARGET for _, value in headers):
        raise Refused(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "Too long", "The request's headers are too long.")


def path_of(scope):
    """The path as it was sent, also in the form for proxies."""
    path = scope["raw_path"].decode("ascii")
    if path.startswith("http://"):
        path = "/" + path.removeprefix("http://").partition("/")[2]
    return path


async def read_body(receive):
    """The body, or None if it is too long. It is read to its end in any case, or the client may not see the answer."""
    body, more = bytearray(), True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionError("the client has left")
        if len(body) <= LONGEST_BODY:
            body += message["body"]
        more = message["more_body"]
    return bytes(body) if len(body) <= LONGEST_BODY else None


def parameters(encoded):
    """The values of each parameter, decoded. Broken escapes stay as they are."""
    if encoded.count(b"&") > MOST_SEPARATORS:
        raise Refused(HTTPStatus.BAD_REQUEST, "Bad request", "There are too many parameters.")
    values = {}
    for part in filter(None, encoded.split(b"&")):
        name, _, value = (unquote_to_bytes(text.replace(b"+", b" ")) for text in part.partition(b"="))
        values.setdefault(name, []).append(value)
    return values
