"""Sends the application's files, and one page for everything else: server.py ADDRESS PORT FILES IDLE_MS."""

import os
import signal
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ADDRESS, PORT, FILES, IDLE_MS = sys.argv[1:]

# Where the data are. The code does not connect to the database yet.
DATABASE = {name: os.environ["TIERBENCH_DB_" + name] for name in ("SERVICE", "HOST", "PORT", "NAME", "USER", "PASSWORD")}

PAGE = """<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>__STACK__</title></head>
<body><h1>__STACK__ answers</h1><p>The data are in {SERVICE} at {HOST}:{PORT}, database {NAME}.</p></body>
</html>
""".format(**DATABASE).encode()

HTML = "text/html; charset=utf-8"
TYPES = {".html": HTML, ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml; charset=utf-8", ".png": "image/png"}

# FILES mirrors URLs: FILES/comments/style.css is /comments/style.css.
STATIC = {"/" + str(path.relative_to(FILES)): path for path in Path(FILES).rglob("*") if path.is_file()}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # How long an idle connection is held.
    timeout = int(IDLE_MS) / 1000

    def do_GET(self):
        # The path as it was sent: self.path has lost doubled slashes at its beginning.
        path = self.requestline.split(" ")[1].partition("?")[0]
        file = STATIC.get(path)
        if file is None:
            self.send(HTML, PAGE)
        else:
            self.send(TYPES[file.suffix], file.read_bytes())

    def do_POST(self):
        self.send(HTML, PAGE)

    def send(self, content_type, body):
        # What is left of a request's body would be taken for the next request.
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(200)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 4096


server = Server((ADDRESS, int(PORT)), Handler)
# `shutdown` waits for the loop, so another thread has to call it.
signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=server.shutdown).start())
server.serve_forever()
