"""The steps of a call and their outcomes."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import httpx

from ._answers import Answer
from .errors import (
    ConfigurationError,
    ConnectionFailedError,
    InterruptedAnswerError,
    InvalidAnswerError,
    SvcError,
    TimedOutError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ._request_headers import RawHeaders

_LONGEST_WAIT: Final = 1e9


@dataclass(slots=True)
class Send:
    """Send one request.

    Attributes:
        method: ``GET`` or ``POST``.
        url: Target URL.
        headers: All headers, including the API key.
        body: Request body, or ``None``.
        deadline: Deadline of the call on the monotonic clock.
    """

    method: str
    url: str
    headers: RawHeaders = field(repr=False)
    body: bytes | None = field(repr=False)
    deadline: float | None

    def time_left(self) -> float | None:
        """Return the seconds until the deadline, at least one millisecond."""
        if self.deadline is None:
            return None
        # The bound keeps the value within the range of every platform's timers.
        return min(max(self.deadline - time.monotonic(), 0.001), _LONGEST_WAIT)

    def limits(self) -> dict[str, Any]:
        """Limit each step of the HTTP library to the time left when it starts."""
        return {"timeout": _Limits(self)}

    def check_deadline(self) -> None:
        """Raise if the deadline has passed.

        The HTTP library limits single reads, so a trickle can outlast the deadline.
        """
        if self.deadline is not None and time.monotonic() >= self.deadline:
            raise httpx.ReadTimeout("the deadline has passed")


class _Limits(Mapping[str, "float | None"]):
    """Time limits of the HTTP library: connect, read, write and pool, in seconds."""

    __slots__ = ("_send",)

    def __init__(self, send: Send) -> None:
        self._send = send

    def __getitem__(self, step: str) -> float | None:
        return self._send.time_left()

    def __iter__(self) -> Iterator[str]:
        return iter(("connect", "read", "write", "pool"))

    def __len__(self) -> int:
        return 4


@dataclass(slots=True)
class Pause:
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


def timed_out() -> TimedOutError:
    """Return the error for an exceeded deadline."""
    return TimedOutError("the call did not complete within its timeout")


def failure_of(
    error: httpx.HTTPError | httpx.InvalidURL, send: Send, *, answering: bool
) -> SvcError:
    """Return the error for a failed attempt.

    Args:
        error: Error raised by the HTTP library.
        send: The attempted request.
        answering: Whether the response headers had arrived.
    """
    failure: SvcError
    if isinstance(error, httpx.TimeoutException):
        failure = timed_out()
    elif isinstance(
        error, (httpx.InvalidURL, httpx.UnsupportedProtocol, httpx.LocalProtocolError)
    ):
        failure = ConfigurationError(f"cannot send the request: {error}")
    elif isinstance(error, httpx.DecodingError):
        failure = InvalidAnswerError(f"cannot decode the response: {error}")
    elif answering:
        failure = InterruptedAnswerError(
            f"the connection was lost while reading the response: {error}"
        )
    else:
        url = parse_url(send.url)
        where = f"{url.scheme}://{url.netloc.decode('ascii')}"
        failure = ConnectionFailedError(f"cannot reach the service at {where}: {error}")
    failure.__cause__ = error
    return failure
