"""The messages of a WebSocket, without I/O."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from .errors import InterruptedResponseError, InvalidResponseError

if TYPE_CHECKING:
    import httpx

    from ._request_headers import RawHeaders

_SWITCHING: Final = 101

LONGEST_MESSAGE: Final = 32 * 1024 * 1024
"""Maximum size of a message in bytes, which bounds memory use. The service sends at
most 16 MiB."""

LONGEST_SILENCE: Final = 90.0
"""Seconds without data after which a connection counts as lost. The service pings three
times as often, and an event stream has a comment every 15 seconds."""

NORMAL: Final = 1000
"""The close code of a normal closure."""


def silence_until(deadline: float | None) -> float:
    """Return the number of seconds for which a connection may be idle."""
    if deadline is None:
        return LONGEST_SILENCE
    # Timers may fire this early.
    left = deadline - time.monotonic() + 0.005
    return min(max(left, 0.005), LONGEST_SILENCE)


class Upgrade:
    """The WebSocket handshake of a request."""

    __slots__ = ("_key",)

    def __init__(self) -> None:
        """Generate the key of the handshake."""
        # Imported lazily because most programs open no WebSocket.
        from websockets.utils import generate_key

        self._key = generate_key()

    def headers(self) -> RawHeaders:
        """Return the headers of the handshake."""
        return [
            (b"Connection", b"Upgrade"),
            (b"Upgrade", b"websocket"),
            (b"Sec-WebSocket-Version", b"13"),
            (b"Sec-WebSocket-Key", self._key.encode("ascii")),
        ]

    def is_accepted(self, response: httpx.Response) -> bool:
        """Whether the response opens the WebSocket.

        Raises:
            InvalidResponseError: A successful response does not open a WebSocket, or
                the HTTP client does not expose its connection.
        """
        from websockets.utils import accept_key

        if response.status_code != _SWITCHING and not response.is_success:
            return False
        accepted = response.headers.get("sec-websocket-accept")
        has_connection = "network_stream" in response.extensions
        if accepted == accept_key(self._key) and has_connection:
            return True
        raise InvalidResponseError("the response does not open a WebSocket")


class SocketMessages:
    """Encodes and decodes the messages of a WebSocket.

    Attributes:
        is_closed: Whether the service has closed the WebSocket.
        close_code: Close code; 1006 if the connection was lost.
        close_reason: Close reason.
    """

    def __init__(self) -> None:
        """Start after the handshake."""
        from websockets.protocol import Protocol, Side

        self._protocol = Protocol(Side.CLIENT, max_size=LONGEST_MESSAGE)
        self._parts: list[bytes] = []
        self.is_closed = False
        self.close_code = 1006
        self.close_reason = ""

    @property
    def closing(self) -> str:
        """Description of how the service closed the WebSocket."""
        return f"the service closed with {self.close_code} {self.close_reason}".rstrip()

    def feed(self, data: bytes) -> list[bytes]:
        """Return the messages completed by ``data``, which is empty at the end.

        Raises:
            InvalidResponseError: A message is too large.
        """
        from websockets.exceptions import PayloadTooBig
        from websockets.frames import DATA_OPCODES, Frame

        if data:
            self._protocol.receive_data(data)
        else:
            self._protocol.receive_eof()
        messages: list[bytes] = []
        for frame in self._protocol.events_received():
            if not isinstance(frame, Frame) or frame.opcode not in DATA_OPCODES:
                continue
            self._parts.append(bytes(frame.data))
            if frame.fin:
                messages.append(b"".join(self._parts))
                self._parts = []
        close = self._protocol.close_rcvd
        if close is not None:
            self.close_code, self.close_reason = close.code, close.reason
        failure = self._protocol.parser_exc
        self.is_closed = close is not None or failure is not None or not data
        if isinstance(failure, PayloadTooBig):
            raise InvalidResponseError("a message is larger than 32 MiB")
        return messages

    def print(self, message: bytes) -> None:
        """Queue a message.

        Raises:
            InterruptedResponseError: The WebSocket is closed.
        """
        if self.is_closed:
            raise InterruptedResponseError(self.closing)
        self._protocol.send_text(message)

    @property
    def has_outgoing(self) -> bool:
        """Whether bytes are pending."""
        return bool(self._protocol.writes) and not self.is_closed

    def outgoing(self) -> bytes:
        """Return the pending bytes, including pongs."""
        return b"".join(self._protocol.data_to_send())
