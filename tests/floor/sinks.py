"""Servers that take what the floor sends to people: mail by SMTP, a webhook by HTTP."""

from __future__ import annotations

import json
import socketserver
import threading
from contextlib import contextmanager
from email import message_from_bytes, policy
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class MailSink(socketserver.ThreadingTCPServer):
    """Keeps `mails`, of (recipients, message); while it is `full` it takes none."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Mail)
        self.mails, self.full = [], False


class HookSink(ThreadingHTTPServer):
    """Keeps `posts` and `gets`; answers `status`, with `location`, or with what is no HTTP."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Hook)
        self.posts, self.status = [], 200


class _Mail(socketserver.StreamRequestHandler):
    """One session of RFC 5321, as far as a sender without sign-in needs it."""

    server: MailSink

    def handle(self):
        self._say("220 sink")
        to = []
        for line in iter(self.rfile.readline, b""):
            word = line.strip().upper()
            if word.startswith(b"RCPT TO:"):
                to.append(line.strip()[8:].decode().strip("<> "))
            if word == b"DATA":
                self._say("354 go on")
                body = b"".join(iter(self._line, None))
                self.server.mails.append((to, message_from_bytes(body, policy=policy.default)))
                self._say("250 taken")
            elif word == b"QUIT":
                return self._say("221 bye")
            else:
                self._say("250 sink" if not self.server.full else "452 no room")
        return None

    def _line(self):
        line = self.rfile.readline()
        return None if line.rstrip() == b"." else line

    def _say(self, text):
        self.wfile.write(text.encode() + b"\r\n")


class _Hook(BaseHTTPRequestHandler):
    server: HookSink

    def do_POST(self):
        said = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.posts.append(json.loads(said))
        self.send_response(self.server.status)
        self.end_headers()

    def log_message(self, *_):
        """Say nothing: a test's output is its own."""


@contextmanager
def mail_sink():
    """A mail server on a free port of this machine."""
    with _serving(server := MailSink()):
        yield server


@contextmanager
def hook():
    """A receiver of webhooks on a free port of this machine."""
    with _serving(server := HookSink()):
        yield server


@contextmanager
def _serving(server):
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
