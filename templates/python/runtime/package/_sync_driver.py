"""Runs the steps of calls."""

from __future__ import annotations

import os
from contextlib import ExitStack, suppress
from threading import Condition
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakSet

import httpx

from ._answers import MISMATCH, Answer
from ._attempt import (
    LARGEST_REST,
    Closing,
    Guard,
    Pause,
    Send,
    is_event_stream,
    is_past,
    is_refusal_cut_off,
    limit_new_connections,
    limit_reads,
    opens_socket,
)
from ._sync_socket import SyncSocket, shut
from ._transports import (
    Use,
    is_inherited,
    join_pool,
    leave_pool,
    thread_for,
    use_of,
)
from .errors import ConfigurationError, SvcError

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from socket import socket
    from threading import Event

    from ._attempt import Lines, Outcome, Step
    from ._transports import Key, Pool

T = TypeVar("T")


class SyncDriver:
    """Runs the steps of a call: sends requests, pauses and returns outcomes.

    Attributes:
        closing: State of the client, shared with its requests in flight.
    """

    def __init__(self, http: httpx.Client | None, *, http2: bool) -> None:
        """Send through ``http``, or through the connections of the process."""
        self._http = http
        self._usual = Use.HTTP2 if http2 else Use.HTTP1
        self.closing: Closing = Closing()
        self._pools: dict[tuple[Use, int], tuple[Key, Pool[httpx.Client]]] = {}
        self._open: WeakSet[SyncBody | SyncSocket] = WeakSet()
        self._changed = Condition()
        if http is None:
            self._client()

    def __call__(
        self, steps: Generator[Step, Outcome, T], closed: Event | None = None
    ) -> T:
        """Run the steps and return their result.

        Raises:
            ConfigurationError: ``closed`` was set during a pause.
        """
        outcome: Outcome = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                value: T = end.value
                return value
            if isinstance(step, Pause):
                self._pause(step.seconds, closed)
                outcome = None
            else:
                outcome = self._attempt(step)

    def close(self) -> None:
        """Interrupt open streams. Close connections that no other client uses."""
        with self._changed:
            self.closing.is_closed = True
            opened = list(self._open)
        self.wake()
        for stream in opened:
            stream.shut()
        while self._pools:
            leave_pool(self, *self._pools.popitem()[1])

    def wake(self) -> None:
        """Interrupt the pauses of closed calls."""
        with self._changed:
            self._changed.notify_all()

    def _pause(self, seconds: float, closed: Event | None) -> None:
        def is_closed() -> bool:
            return closed is not None and closed.is_set()

        with self._changed:
            # A closed client fails at its next request.
            self._changed.wait_for(
                lambda: self.closing.is_closed or is_closed(), seconds
            )
        if is_closed():
            raise ConfigurationError("the call was closed before its response arrived")

    def _client(self, use: Use | None = None) -> httpx.Client:
        self.closing.check_open()
        if self._http is not None:
            return self._http
        use = use or self._usual
        place = (use, thread_for(use))
        joined = self._pools.get(place)
        if joined is None or is_inherited(joined[0]):
            joined = self._pools[place] = join_pool(self, use)
        return joined[1].http

    def _keep(self, stream: SyncBody | SyncSocket) -> None:
        """Interrupt a stream when the client is closed, or now if it already is."""
        with self._changed:
            self._open.add(stream)
        if self.closing.is_closed:
            stream.shut()

    def _attempt(self, send: Send) -> Outcome:
        guard = Guard(send)
        lines = None if send.lines is None else _lines_of(send.lines, send)
        with guard, ExitStack() as stack:
            send.api_key.load()
            http = self._client(use_of(send))
            send.closing = self.closing
            request = send.request(lines)
            request["extensions"]["trace"] = limit_new_connections
            response = stack.enter_context(http.stream(**request))
            guard.answering = True
            send.head = response
            status, headers = response.status_code, response.headers
            if opens_socket(response, send):
                opened = SyncSocket(response, send, stack.pop_all())
                self._keep(opened)
                return Answer(status, headers, b"", send.api_key, stream=opened)
            # The connection may predate the call, and have no limit yet.
            limit_reads(response.extensions.get("network_stream"))
            if send.streams and is_event_stream(response):
                if MISMATCH in headers:
                    return Answer(status, headers, b"", send.api_key)
                stream = SyncBody(response, send, stack.pop_all())
                self._keep(stream)
                return Answer(status, headers, b"", send.api_key, stream=stream)
            body = _read_body(response, send)
            return Answer(status, headers, body, send.api_key)
        return guard.result()


class SyncBody:
    """The body of a response, read as it arrives."""

    def __init__(self, response: httpx.Response, send: Send, stack: ExitStack) -> None:
        """Read ``response``, which ``stack`` closes."""
        self._response = response
        self._send = send
        self._stack = stack
        self._process = os.getpid()

    def read(self, deadline: float | None) -> Iterator[bytes]:
        """Yield the bytes.

        Raises:
            SvcError: The connection was lost, the client was closed, or the deadline
                passed.
        """
        send = self._send
        send.begin_stream(deadline)
        chunks = self._response.iter_bytes()
        while True:
            guard = Guard(send)
            guard.answering = True
            chunk: bytes | None = None
            with guard:
                chunk = _next_chunk(chunks, send)
                send.check_open()
            failure = guard.result()
            if failure is not None:
                raise failure
            if chunk is None:
                return
            yield chunk

    def finish(self, chunks: Iterator[bytes]) -> None:
        """Drain the body, so that the connection can be reused.

        If the body does not end soon, the connection is closed with it.
        """
        # A custom transport may ignore timeouts. Over HTTP/2, a timeout would close the
        # connection, and with it the other streams on it.
        response = self._response
        is_shared = response.http_version == "HTTP/2"
        if is_shared or "network_stream" not in response.extensions:
            return
        self._send.begin_rest()
        size = 0
        with suppress(SvcError):
            for chunk in chunks:
                size += len(chunk)
                if size > LARGEST_REST:
                    return

    def shut(self) -> None:
        """Interrupt a read in another thread, unless the connection is shared."""
        # A forked process must not interrupt reads of its parent, and a closed response
        # has returned its connection to the pool.
        if self._process == os.getpid() and not self._response.is_closed:
            shut(_own_connection(self._response))

    def close(self) -> None:
        """Close the connection."""
        self._stack.close()


def _lines_of(lines: Lines, send: Send) -> Iterator[bytes]:
    """Yield the lines until the deadline, which is checked before each one is sent."""
    for line in lines.lines():
        send.check_open()
        if is_past(send.deadline):
            raise send.stop_input()
        yield line


def _next_chunk(chunks: Iterator[bytes], send: Send) -> bytes | None:
    try:
        chunk = next(chunks, None)
    except httpx.TransportError:
        send.check_deadline()
        raise
    send.check_deadline()
    return chunk


def _read_body(response: httpx.Response, send: Send) -> bytes:
    chunks: list[bytes] = []
    try:
        for chunk in response.iter_bytes():
            send.check_deadline()
            chunks.append(chunk)
    except httpx.RequestError as error:
        send.check_deadline()
        if not is_refusal_cut_off(response, error):
            raise
    return b"".join(chunks)


def _own_connection(response: httpx.Response) -> socket | None:
    """Return the socket of a response, or ``None`` if it is shared or unavailable."""
    stream = response.extensions.get("network_stream")
    if stream is None or response.http_version == "HTTP/2":
        return None
    connection: socket | None = stream.get_extra_info("socket")
    return connection
