"""One attempt of a call, and what may come of it."""

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
    """Send the request once.

    Attributes:
        method: ``GET`` or ``POST``.
        url: Where to.
        headers: All headers, the key among them.
        body: The body, if there is one.
        deadline: End of the call on the monotonic clock.
    """

    method: str
    url: str
    headers: RawHeaders = field(repr=False)
    body: bytes | None = field(repr=False)
    deadline: float | None

    def time_left(self) -> float | None:
        """Give the seconds until the deadline, at least a moment."""
        if self.deadline is None:
            return None
        # No clock counts further than the bound, and nobody waits as long.
        return min(max(self.deadline - time.monotonic(), 0.001), _LONGEST_WAIT)

    def limits(self) -> dict[str, Any]:
        """Bound each step of the HTTP library by what is left when it begins."""
        return {"timeout": _Limits(self)}

    def check_deadline(self) -> None:
        """Give up when the deadline has passed.

        The HTTP library bounds each single read, which a trickling answer outlives.
        """
        if self.deadline is not None and time.monotonic() >= self.deadline:
            raise httpx.ReadTimeout("the deadline has passed")


class _Limits(Mapping[str, "float | None"]):
    """Seconds that a step may take: to get a connection, to connect, write or read."""

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
    """Parse where to; most calls of a client go to the same few places.

    Raises:
        httpx.InvalidURL: It is malformed.
    """
    return httpx.URL(url)


Step: TypeAlias = Send | Pause
Outcome: TypeAlias = Answer | SvcError | None


def timed_out() -> TimedOutError:
    """Make the failure of a call whose deadline has passed."""
    return TimedOutError("the call took longer than its timeout")


def failure_of(
    error: httpx.HTTPError | httpx.InvalidURL, send: Send, *, answering: bool
) -> SvcError:
    """Name the failure of an attempt.

    Args:
        error: What the HTTP library raised.
        send: What was to be sent.
        answering: Whether the head of an answer had arrived.
    """
    failure: SvcError
    if isinstance(error, httpx.TimeoutException):
        failure = timed_out()
    elif isinstance(
        error, (httpx.InvalidURL, httpx.UnsupportedProtocol, httpx.LocalProtocolError)
    ):
        failure = ConfigurationError(f"the request cannot be sent: {error}")
    elif isinstance(error, httpx.DecodingError):
        failure = InvalidAnswerError(f"the answer cannot be decoded: {error}")
    elif answering:
        failure = InterruptedAnswerError(f"the connection broke in the answer: {error}")
    else:
        url = parse_url(send.url)
        where = f"{url.scheme}://{url.netloc.decode('ascii')}"
        failure = ConnectionFailedError(f"cannot reach the service at {where}: {error}")
    failure.__cause__ = error
    return failure
