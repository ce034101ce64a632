"""An HTTP server with scripted responses that records its requests."""

from __future__ import annotations

import contextlib
import json
import os
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from websockets.frames import Frame, Opcode
from websockets.protocol import Protocol, Side
from websockets.utils import accept_key

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from typing_extensions import Self

# Keeps proxies of the environment out of the tests.
os.environ["NO_PROXY"] = os.environ["no_proxy"] = "*"


@dataclass(frozen=True)
class Scripted:
    """A scripted response or failure."""

    status: int = 200
    body: Any = None
    """Sent as JSON; bytes are sent unchanged."""
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    """Delay of the response in seconds."""
    after: threading.Event | None = None
    """Event to wait for before responding."""
    cut: int | None = None
    """Close the connection after this many bytes of the body; -1 for no response."""
    holds: bool = False
    """Keep the connection open one byte short of the announced length."""
    keeps_alive: bool = False
    """Keep the connection alive for further requests."""
    socket: list[Any] | None = None
    """Open a WebSocket and send these messages as JSON; bytes are written to the
    connection unchanged."""
    reply: Callable[[Any], list[Any]] | None = None
    """Returns the replies to a message of the client."""
    close: tuple[int, str] | None = None
    """Close code and reason; by default, the client closes the WebSocket."""

    def hold_back(self) -> None:
        """Wait until the response may be sent."""
        time.sleep(self.delay)
        if self.after is not None:
            self.after.wait(60)


@dataclass(frozen=True)
class Request:
    """A received request."""

    method: str
    path: str
    headers: dict[str, str]
    """Headers by lowercase name."""
    body: bytes
    port: int
    """Port of the client, which identifies the connection."""


class _QuietServer(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *args: Any, **named: Any) -> None:
        """Ignore errors: some tests disconnect their clients."""


class ScriptedServer:
    """Sends its responses in order and repeats the last one."""

    def __init__(self, *answers: Scripted) -> None:
        """Create a server that listens on a free port when entered."""
        self.answers = list(answers)
        self.requests: list[Request] = []
        self.closed = threading.Event()
        """Set when a client closes a WebSocket."""
        self.leaving = threading.Event()
        """Set when the server stops."""
        self.ponged = threading.Event()
        """Set when a client answers a ping."""
        self._http = _QuietServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    @property
    def url(self) -> str:
        """Base URL of the server."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def keys(self) -> list[str]:
        """Return the idempotency keys of all requests."""
        return [request.headers["idempotency-key"] for request in self.requests]

    def wait_for(self, count: int) -> None:
        """Wait until ``count`` requests have arrived."""
        end = time.monotonic() + 60
        while len(self.requests) < count:
            assert time.monotonic() < end, f"{len(self.requests)} of {count} requests"
            time.sleep(0.01)

    def __enter__(self) -> Self:
        """Start the server."""
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop the server."""
        self.leaving.set()
        self._http.shutdown()
        self._http.server_close()

    def _next(self, request: Request) -> Scripted:
        self.requests.append(request)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        script = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.do_POST()

            def do_POST(self) -> None:
                length = int(self.headers.get("Content-Length", "0"))
                headers = {name.lower(): text for name, text in self.headers.items()}
                is_chunked = headers.get("transfer-encoding") == "chunked"
                body_read = self._chunks() if is_chunked else self.rfile.read(length)
                port = self.client_address[1]
                request = Request(self.command, self.path, headers, body_read, port)
                answer = script._next(request)
                answer.hold_back()
                self.close_connection = not answer.keeps_alive
                self.protocol_version = "HTTP/1." + str(int(answer.keeps_alive))
                if answer.cut == -1:
                    return
                if answer.socket is not None:
                    # A client that closes early may reset the connection.
                    with contextlib.suppress(ConnectionError):
                        _play(self, answer, script.ponged)
                    script.closed.set()
                    return
                is_raw = isinstance(answer.body, bytes)
                body = answer.body if is_raw else json.dumps(answer.body).encode()
                self.send_response(answer.status)
                for name, text in answer.headers.items():
                    self.send_header(name, text)
                self.send_header("Content-Length", str(len(body) + answer.holds))
                self.end_headers()
                self.wfile.write(body if answer.cut is None else body[: answer.cut])
                if answer.holds:
                    script.leaving.wait(30)

            def _chunks(self) -> bytes:
                chunks: list[bytes] = []
                while size := int(self.rfile.readline() or b"0", 16):
                    chunks.append(self.rfile.read(size))
                    self.rfile.readline()
                self.rfile.readline()
                return b"".join(chunks)

            def log_message(self, *args: Any, **named: Any) -> None:
                """Log nothing."""

        return Handler


def _play(
    handler: BaseHTTPRequestHandler, answer: Scripted, ponged: threading.Event
) -> None:
    """Open a WebSocket and wait until the client closes it."""
    handler.send_response_only(101)
    handler.send_header("Upgrade", "websocket")
    handler.send_header("Connection", "Upgrade")
    key = handler.headers["Sec-WebSocket-Key"]
    handler.send_header("Sec-WebSocket-Accept", accept_key(key))
    handler.end_headers()
    for message in answer.socket or ():
        handler.wfile.write(_frame(message))
    if answer.close is not None:
        protocol = Protocol(Side.SERVER)
        protocol.send_close(*answer.close)
        handler.wfile.write(b"".join(protocol.data_to_send()))
    protocol = Protocol(Side.SERVER)
    while data := handler.connection.recv(1_000):
        protocol.receive_data(data)
        for frame in protocol.events_received():
            if not isinstance(frame, Frame):
                continue
            if frame.opcode is Opcode.PONG:
                ponged.set()
            if answer.reply is not None and frame.opcode is Opcode.TEXT:
                for message in answer.reply(json.loads(bytes(frame.data))):
                    handler.wfile.write(_frame(message))


def _frame(message: Any) -> bytes:
    """Encode a message of a WebSocket; bytes are returned unchanged."""
    if isinstance(message, bytes):
        return message
    protocol = Protocol(Side.SERVER)
    protocol.send_text(json.dumps(message).encode())
    return b"".join(protocol.data_to_send())
