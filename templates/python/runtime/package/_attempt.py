"""The steps of a call and their outcomes."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from traceback import walk_tb
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeAlias

import httpx

from ._answers import Answer, error_of
from ._socket_messages import LONGEST_SILENCE
from .errors import (
    ConfigurationError,
    ConnectionFailedError,
    InterruptedResponseError,
    InvalidResponseError,
    SvcError,
    TimedOutError,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from ._api_key import ApiKey
    from ._request_headers import RawHeaders
    from ._socket_messages import Upgrade
    from ._typing import Self

_LONGEST_WAIT: Final = 1e9

_LIBRARIES: Final = frozenset(
    {
        *("httpx", "httpcore", "h11", "h2", "hpack", "hyperframe", "socksio"),
        *("anyio", "asyncio", "trio", "gevent", "eventlet", "socket", "ssl"),
    }
)
"""Packages whose frames hold request headers."""

_LOST: Final = (httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError)
"""Errors of established connections."""

_LARGE: Final = 1024 * 1024
"""Size in bytes from which a proxy may reject a request."""

_CLOSE: Final = 0.05
"""Seconds before a deadline that already count as timed out."""

LAST_LOOK: Final = 0.1
"""Seconds to read an early response after the deadline of a streamed input."""

LARGEST_REST: Final = 16 * 1024
"""Maximum number of bytes to drain after the last message of a stream."""

_LONGEST_REST: Final = 0.2
"""Maximum number of seconds to drain them."""

_CONNECTED: Final = (
    "connect_tcp.complete",
    "connect_unix_socket.complete",
    "start_tls.complete",
)
"""Trace events of the HTTP library that return a new connection."""

_LONGEST_CONNECT: Final = 5.0
"""Connect timeout in seconds, unless the attempt limits its phases."""


class Lines(Protocol):
    """A request body that is produced while it is sent."""

    def lines(self) -> Iterator[bytes]:
        """Yield the lines of a synchronous source."""
        ...

    def async_lines(self) -> AsyncIterator[bytes]:
        """Yield the lines of a synchronous or asynchronous source."""
        ...


class Closing:
    """Tells requests in flight whether their client is closed."""

    is_closed: bool = False

    def check_open(self) -> None:
        """Check that the client is open.

        Raises:
            ConfigurationError: The client is closed.
        """
        if self.is_closed:
            raise client_closed()


def client_closed() -> ConfigurationError:
    """Return the error for using a closed client."""
    return ConfigurationError("the client is closed")


@dataclass(slots=True, repr=False, eq=False)
class Send:
    """Send one request.

    Attributes:
        method: ``GET`` or ``POST``.
        url: Target URL.
        headers: All headers except the API key.
        body: Request body, or ``None``.
        api_key: The API key.
        deadline: Deadline of the attempt on the monotonic clock.
        phases: Timeouts of the phases of the attempt, or ``None``.
        streams: Whether an event stream is read as it arrives.
        lines: The streamed input, instead of ``body``.
        upgrade: The WebSocket handshake, or ``None``.
        is_limited: Whether the deadline comes from the attempt rather than the call.
        head: The response, once its head has arrived.
        is_reading: Whether its body is being streamed.
        closing: State of the client; ``None`` until the request is sent.
    """

    method: str
    url: str
    headers: RawHeaders
    body: bytes | None
    api_key: ApiKey
    deadline: float | None
    phases: httpx.Timeout | None
    streams: bool = False
    lines: Lines | None = None
    upgrade: Upgrade | None = None
    is_limited: bool = False
    head: httpx.Response | None = None
    is_reading: bool = False
    closing: Closing | None = None

    @property
    def is_cut_off(self) -> bool:
        """Whether the client was closed after the request was sent."""
        return self.closing is not None and self.closing.is_closed

    def check_open(self) -> None:
        """Raise if the client was closed."""
        if self.closing is not None:
            self.closing.check_open()

    def time_left(self) -> float | None:
        """Return the seconds until the deadline, at least one millisecond."""
        if self.deadline is None:
            return None
        # The bound keeps the value within the range of every platform's timers.
        return min(max(self.deadline - time.monotonic(), 0.001), _LONGEST_WAIT)

    def request(self, content: object = None) -> dict[str, Any]:
        """Return the arguments of ``httpx.Client.stream``.

        ``content`` replaces the body. Each step of the HTTP library is limited to the
        time left when it starts.
        """
        return {
            "method": self.method,
            "url": parse_url(self.url),
            "content": self.body if content is None else content,
            "headers": self.headers,
            "auth": self.api_key,
            "extensions": {"timeout": _Limits(self)},
            "follow_redirects": False,
        }

    def begin_stream(self, deadline: float | None) -> None:
        """Replace the limits of the attempt with those of its stream."""
        self.deadline = deadline
        self.phases = httpx.Timeout(None, read=LONGEST_SILENCE)
        self.is_reading = True

    def begin_rest(self) -> None:
        """Limit the time to drain the body after the last message of a stream."""
        soon = time.monotonic() + _LONGEST_REST
        self.deadline = soon if self.deadline is None else min(self.deadline, soon)

    def timed_out(self) -> TimedOutError:
        """Return the error for the exceeded limit."""
        left = self.time_left()
        is_phase = self.phases is not None and (left is None or left > _CLOSE)
        if (self.is_limited or is_phase) and not self.is_reading:
            return TimedOutError(
                "the attempt did not complete within its attempt_timeout"
            )
        return timed_out()

    def check_deadline(self) -> None:
        """Raise if the deadline has passed.

        The HTTP library limits single reads, so a slow body can outlast the deadline.
        """
        if is_past(self.deadline):
            raise httpx.ReadTimeout("the deadline has passed")

    def stop_input(self) -> httpx.ReadTimeout:
        """Return the exception that ends a streamed input at the deadline."""
        self.deadline = time.monotonic() + LAST_LOOK
        return _stopped()


class _Limits(Mapping[str, "float | None"]):
    """Timeouts for the HTTP library in seconds: connect, read, write and pool."""

    __slots__ = ("_send",)

    def __init__(self, send: Send) -> None:
        self._send = send

    def __getitem__(self, step: str) -> float | None:
        left = self._send.time_left()
        phases = self._send.phases
        usual = _LONGEST_CONNECT if step == "connect" else None
        own = usual if phases is None else phases.as_dict()[step]
        limit = own if left is None else left if own is None else min(own, left)
        if limit is None or step != "read":
            return limit
        return _ReadLimit(limit, self._send)

    def __iter__(self) -> Iterator[str]:
        return iter(("connect", "read", "write", "pool"))

    def __len__(self) -> int:
        return 4


class _ReadLimit(float):
    """A read timeout that can be renewed for the next read."""

    _send: Send

    def __new__(cls, seconds: float, send: Send) -> Self:
        """Create the timeout of the first read."""
        limit = super().__new__(cls, seconds)
        limit._send = send
        return limit

    def renewed(self) -> float | None:
        """Return the timeout of a read that starts now.

        Raises:
            httpx.ReadTimeout: The deadline has passed.
        """
        self._send.check_deadline()
        return _Limits(self._send)["read"]


def limit_reads(stream: object) -> None:
    """Limit each read of a connection to the time left when it starts.

    The HTTP library applies the timeout of the first read of a head or body to all of
    its reads, so a slow response would outlast its deadline.
    """
    # Imported lazily, as in the HTTP library.
    import httpcore

    if not isinstance(stream, httpcore.NetworkStream) or "read" in vars(stream):
        return
    read = stream.read

    def limited(max_bytes: int, timeout: float | None = None) -> bytes:
        limit = timeout.renewed() if isinstance(timeout, _ReadLimit) else timeout
        return read(max_bytes, limit)

    vars(stream)["read"] = limited


def limit_new_connections(event: str, info: dict[str, Any]) -> None:
    """Limit the reads of a new connection, as a ``trace`` extension."""
    if event.endswith(_CONNECTED):
        limit_reads(info["return_value"])


def _stopped() -> httpx.ReadTimeout:
    """Return an exception that aborts a request body.

    The HTTP library treats it as a connection closed for writing, and reads the error
    response that may have arrived in the meantime. Over HTTP/2 and in other transports
    it acts as a timeout.
    """
    # Imported lazily, as in the HTTP library.
    import httpcore

    class Stopped(httpcore.WriteError, httpcore.ReadTimeout, httpx.ReadTimeout):
        """The deadline has passed."""

    return Stopped("the deadline has passed")


class Pause(NamedTuple):
    """Wait before the next attempt."""

    seconds: float


@lru_cache(maxsize=256)
def parse_url(url: str) -> httpx.URL:
    """Parse a URL. Cached, because a client calls few distinct URLs.

    Raises:
        httpx.InvalidURL: The URL is malformed.
    """
    return httpx.URL(url)


Step: TypeAlias = Send | Pause
Outcome: TypeAlias = Answer | SvcError | None


class Guard:
    """A context that converts exceptions of the HTTP library into an ``SvcError``.

    Other exceptions, such as those of a custom transport, propagate without the frames
    of the HTTP library.

    Attributes:
        answering: Whether the response headers have arrived.
        failure: The error, if there is one.
    """

    __slots__ = ("_callers", "_send", "answering", "failure")

    def __init__(self, send: Send) -> None:
        self._send = send
        self._callers: TimeoutError | None = None
        self.answering = False
        self.failure: SvcError | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool:
        if error is None:
            return False
        # The frames of the HTTP library contain the API key.
        if not isinstance(error, Exception):
            raise error.with_traceback(None)
        # result() raises it: raised here, its context would expose the headers.
        self._callers = _timeout_of_caller(error, self._send.deadline)
        if self._callers is not None:
            _hide_library(self._callers)
            return True
        if isinstance(error, TimeoutError) and not isinstance(error, SvcError):
            self.failure = self._send.timed_out()
            return True
        if not isinstance(error, (SvcError, httpx.HTTPError, httpx.InvalidURL)):
            is_unusable = _packages_of(error)[-1] == "httpx"
            _hide_library(error)
            if not is_unusable:
                raise error
            self.failure = ConfigurationError(
                "the HTTP client is closed, or its transport gave no usable response: "
                + self._send.api_key.redact(repr(error))
            )
            return True
        if isinstance(error, httpx.HTTPStatusError):
            self.failure = _refusal_in(error.response, self._send)
            return True
        self.failure = (
            client_closed()
            if self._send.is_cut_off
            else _failure_of(error, self._send, answering=self.answering)
        )
        return True

    def result(self) -> SvcError | None:
        """Return the error, if there is one.

        Raises:
            TimeoutError: Code of the caller raised it.
        """
        if self._callers is not None:
            raise self._callers
        return self.failure


def is_event_stream(response: httpx.Response) -> bool:
    """Whether a response is a successful event stream."""
    content_type: str = response.headers.get("content-type", "")
    kind = content_type.partition(";")[0].strip().lower()
    return response.is_success and kind == "text/event-stream"


def is_refusal_cut_off(response: httpx.Response, error: httpx.RequestError) -> bool:
    """Whether an error truncated an error response, whose status is sufficient."""
    is_timeout = isinstance(error, httpx.TimeoutException)
    return not response.is_success and not is_timeout


def opens_socket(response: httpx.Response, send: Send) -> bool:
    """Whether a response opens the requested WebSocket.

    Raises:
        InvalidResponseError: A successful response does not open a WebSocket, or the
            HTTP client does not expose its connection.
    """
    return send.upgrade is not None and send.upgrade.is_accepted(response)


@contextmanager
def lost(send: Send, deadline: float | None = None) -> Iterator[None]:
    """Convert exceptions of a connection into an ``SvcError``.

    Raises:
        InterruptedResponseError: The connection was lost.
        TimedOutError: The deadline passed.
    """
    try:
        yield
    except Exception as error:
        if send.is_cut_off:
            raise client_closed() from None
        if is_past(deadline):
            raise timed_out() from error
        callers = _timeout_of_caller(error, deadline)
        if callers is not None:
            raise callers from None
        said = send.api_key.redact(_said(error))
        raise InterruptedResponseError(f"the connection was lost: {said}") from error


def is_past(deadline: float | None) -> bool:
    """Whether a deadline on the monotonic clock has passed."""
    return deadline is not None and time.monotonic() >= deadline


def timed_out() -> TimedOutError:
    """Return the error for an exceeded deadline."""
    return TimedOutError("the call did not complete within its timeout")


def _timeout_of_caller(
    error: BaseException, deadline: float | None
) -> TimeoutError | None:
    """Return a ``TimeoutError`` that code of the caller raised before the deadline.

    The HTTP library mistakes one from a signal handler for a socket timeout.
    """
    cause: BaseException | None = error
    while cause is not None and _packages_of(cause)[-1] in _LIBRARIES:
        cause = cause.__cause__ or cause.__context__
        # An error caught outside the library is one that the caller is handling.
        if cause is not None and _packages_of(cause)[0] not in _LIBRARIES:
            return None
    is_ours = isinstance(cause, SvcError) or is_past(deadline)
    return cause if isinstance(cause, TimeoutError) and not is_ours else None


def _packages_of(error: BaseException) -> list[str]:
    """Return the packages that an error passed through, outermost first."""
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    modules: list[str] = [frame.f_globals.get("__name__", "") for frame in frames]
    return [module.partition(".")[0] for module in modules] or [""]


def _hide_library(error: BaseException | None) -> None:
    """Remove the frames of the HTTP library from an error and its causes."""
    while error is not None:
        error.__traceback__ = _frames_of_others(error.__traceback__)
        error = error.__cause__ or error.__context__


def _frames_of_others(traceback: TracebackType | None) -> TracebackType | None:
    """Return a traceback without the frames of the HTTP library."""
    kept: TracebackType | None = None
    for frame, line in reversed(list(walk_tb(traceback))):
        module: str = frame.f_globals.get("__name__", "")
        if module.partition(".")[0] not in _LIBRARIES:
            kept = TracebackType(kept, frame, frame.f_lasti, line)
    return kept


def _failure_of(
    error: SvcError | httpx.HTTPError | httpx.InvalidURL, send: Send, *, answering: bool
) -> SvcError:
    said = send.api_key.redact(_said(error))
    failure: SvcError
    if isinstance(error, SvcError):
        return error
    left = send.time_left()
    if isinstance(error, httpx.ConnectTimeout) and (left is None or left > _CLOSE):
        failure = _unreachable(send, "connecting took too long")
    elif isinstance(error, httpx.PoolTimeout):
        failure = TimedOutError("no connection became free within the timeout")
    elif (
        send.is_reading
        and isinstance(error, httpx.ReadTimeout)
        and (left is None or left > _CLOSE)
    ):
        failure = InterruptedResponseError(
            f"nothing arrived for {LONGEST_SILENCE:.0f} seconds"
        )
    elif isinstance(error, httpx.TimeoutException):
        failure = send.timed_out()
    elif isinstance(
        error, (httpx.InvalidURL, httpx.UnsupportedProtocol, httpx.LocalProtocolError)
    ):
        failure = ConfigurationError(f"cannot send the request: {said}")
    elif isinstance(error, httpx.DecodingError):
        failure = InvalidResponseError(f"cannot decode the response: {said}")
    elif answering:
        failure = InterruptedResponseError(
            f"the connection was lost while reading the response: {said}"
        )
    else:
        failure = _unreachable(send, said, was_open=isinstance(error, _LOST))
    if isinstance(error, httpx.TransportError):
        # A copy: the original references the request, and frames that hold it.
        failure.__cause__ = type(error)(said)
    return failure


def _refusal_in(response: httpx.Response, send: Send) -> SvcError:
    """Return the error for a response that a custom event hook rejected."""
    try:
        body = response.content
    except httpx.ResponseNotRead:
        body = b""
    answer = Answer(response.status_code, response.headers, body, send.api_key)
    return error_of(answer, time.time())


def _said(error: BaseException) -> str:
    """Return the message of an error or of one of its causes, or its type.

    Under asyncio, the error of a reset connection has no message.
    """
    cause: BaseException | None = error
    while cause is not None:
        if str(cause):
            return str(cause)
        cause = cause.__cause__
    if isinstance(error, (httpx.ReadError, httpx.WriteError)):
        return "connection closed or reset"
    return type(error).__name__


def _unreachable(
    send: Send, reason: str, *, was_open: bool = False
) -> ConnectionFailedError:
    url = parse_url(send.url)
    where = f"{url.scheme}://{url.netloc.decode('ascii')}"
    if not was_open:
        return ConnectionFailedError(f"cannot reach the service at {where}: {reason}")
    # asyncio drops a response that arrives before the request is sent in full.
    is_large = len(send.body or b"") >= _LARGE
    hint = "; the input may be too large" if is_large else ""
    return ConnectionFailedError(
        f"the connection to the service at {where} was lost before the response: "
        f"{reason}{hint}"
    )
