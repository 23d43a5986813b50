"""What Gunicorn does beside serving the application."""


def pre_request(worker, request) -> None:
    """Ends the connection after a body in chunks: if that breaks off, Gunicorn answers once for the page, and once more."""
    if any(name == "TRANSFER-ENCODING" for name, _ in request.headers):
        request.force_close()
