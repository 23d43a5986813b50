"""Answers every request with one page: server.py ADDRESS PORT. The database is named in the environment, in TIERBENCH_DB_*."""

import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PAGE = b"""<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>__STACK__</title></head>
<body><h1>__STACK__ answers</h1></body>
</html>
"""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)

    do_GET = do_POST = answer

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    request_queue_size = 4096


Server((sys.argv[1], int(sys.argv[2])), Handler).serve_forever()
