"""How a request's body is read."""

from http import HTTPStatus
from urllib.parse import parse_qs

LONGEST_BODY = 2_097_152
MOST_PARAMETERS = 1000


class Refused(Exception):
    """Why a request is refused, as the error page tells it."""

    def __init__(self, status, heading, text):
        super().__init__(text)
        self.status, self.heading, self.text = status, heading, text


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


def parameters(body):
    """The values of each parameter of a form."""
    try:
        form = body.decode("ascii")
        return parse_qs(form, keep_blank_values=True, errors="strict", max_num_fields=MOST_PARAMETERS)
    except ValueError as fault:  # no ASCII, no UTF-8, or too many
        raise Refused(HTTPStatus.BAD_REQUEST, "Bad request", "The form cannot be read.") from fault
