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
"""Bound of a message, so that one without an end does not fill the memory. Those of the
service have at most 16 MiB."""

LONGEST_SILENCE: Final = 90.0
"""Seconds of silence after which a connection is lost. The service pings three times as
often, and an event stream has a comment every 15 seconds."""

NORMAL: Final = 1000
"""The close code of a conversation that is complete."""


def silence_until(deadline: float | None) -> float:
    """Return the seconds for which a connection may be silent."""
    if deadline is None:
        return LONGEST_SILENCE
    # Timers may be early by as much.
    left = deadline - time.monotonic() + 0.005
    return min(max(left, 0.005), LONGEST_SILENCE)


class Upgrade:
    """The part of a request that asks for a WebSocket."""

    __slots__ = ("_key",)

    def __init__(self) -> None:
        """Choose a key."""
        # Imported here because most programs open no WebSocket.
        from websockets.utils import generate_key

        self._key = generate_key()

    def headers(self) -> RawHeaders:
        """Return the headers to add."""
        return [
            (b"Connection", b"Upgrade"),
            (b"Upgrade", b"websocket"),
            (b"Sec-WebSocket-Version", b"13"),
            (b"Sec-WebSocket-Key", self._key.encode("ascii")),
        ]

    def is_accepted(self, response: httpx.Response) -> bool:
        """Whether the response opens the WebSocket.

        Raises:
            InvalidResponseError: It is no refusal, but opens none, or the HTTP client has
                no connection.
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
    """Turns bytes of a WebSocket into messages, and messages into bytes.

    Attributes:
        is_closed: Whether the service has closed the WebSocket.
        close_code: Its code; 1006 if the connection was lost.
        close_reason: Its reason.
    """

    def __init__(self) -> None:
        """Begin behind the handshake."""
        from websockets.protocol import Protocol, Side

        self._protocol = Protocol(Side.CLIENT, max_size=LONGEST_MESSAGE)
        self._parts: list[bytes] = []
        self.is_closed = False
        self.close_code = 1006
        self.close_reason = ""

    @property
    def closing(self) -> str:
        """How the service closed the WebSocket."""
        return f"the service closed with {self.close_code} {self.close_reason}".rstrip()

    def feed(self, data: bytes) -> list[bytes]:
        """Return the messages that bytes complete. No bytes mean the end.

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
        """Add a message to those to be sent.

        Raises:
            InterruptedResponseError: The WebSocket is closed.
        """
        if self.is_closed:
            raise InterruptedResponseError(self.closing)
        self._protocol.send_text(message)

    @property
    def has_outgoing(self) -> bool:
        """Whether there is something to be sent."""
        return bool(self._protocol.writes) and not self.is_closed

    def outgoing(self) -> bytes:
        """Return the bytes to be sent, pongs among them."""
        return b"".join(self._protocol.data_to_send())
