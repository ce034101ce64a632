"""Retry policy: which failures to retry, and after what delay."""

from __future__ import annotations

import random
import re
from email.utils import parsedate_to_datetime
from threading import Lock
from typing import Final

from .errors import ConnectionFailedError, StatusError, SvcError

LONGEST_RETRY_AFTER: Final = 60.0
"""Longest ``Retry-After`` to honour, in seconds. A longer one fails the call."""

SPREADING_RETRY_AFTER: Final = 1.0
"""Shortest ``Retry-After`` of a 429 that does not count as a retry, in seconds."""

LONGEST_REPORTED: Final = 1e9
"""Upper bound of reported ``Retry-After`` values, in seconds."""

_COST: Final = 10


class RetryBudget:
    """A token bucket that limits the retries of a client while the service is failing.

    Each retry takes one token. A call that succeeds after a retry returns one, and any
    other success returns a tenth of one. Even with an empty bucket, about one call in
    ten can be retried.
    """

    def __init__(self, retries: int | None) -> None:
        """Create a full bucket of ``retries`` tokens; ``None`` for no limit."""
        # Counted in tenths of a token, which keeps the arithmetic exact.
        self._capacity = None if retries is None else retries * _COST
        self._tenths = self._capacity or 0
        self._lock = Lock()

    def take(self) -> bool:
        """Take a token for a retry. Return ``False`` if the bucket is empty."""
        if self._capacity is None:
            return True
        with self._lock:
            if self._tenths < _COST:
                return False
            self._tenths -= _COST
            return True

    def give_back(self, *, is_retry: bool) -> None:
        """Return tokens after the success of a call."""
        if self._capacity is None:
            return
        with self._lock:
            returned = _COST if is_retry else 1
            self._tenths = min(self._capacity, self._tenths + returned)


def may_pass(error: SvcError) -> bool:
    """Report whether the error is transient.

    An error is not transient if its ``retry_after`` is too long to honour.
    """
    if isinstance(error, StatusError):
        if (error.retry_after or 0.0) > LONGEST_RETRY_AFTER:
            return False
        status = error.status or 0
        return status in {408, 429} or status >= 500
    return isinstance(error, ConnectionFailedError)


def wait_before(
    retry: int, *, retry_after: float | None, first: float, longest: float
) -> float | None:
    """Return the delay in seconds before a retry, where ``retry`` counts from 1.

    The delay is random between 0 and a bound that doubles with each retry, from
    ``first`` to ``longest``. With ``retry_after``, the delay is ``retry_after`` plus
    jitter, so that clients rejected together do not retry together. The jitter is at
    most the larger of ``retry_after`` and ``first``, where ``first`` counts for at most
    a second, and never exceeds ``longest``. Returns ``None`` if ``retry_after`` is too
    long.
    """
    if retry_after is None:
        bound = first * 2.0 ** min(retry - 1, 60)
        return random.random() * min(longest, bound)
    if retry_after > LONGEST_RETRY_AFTER:
        return None
    bound = max(retry_after, min(first, 1.0))
    return retry_after + random.random() * min(longest, bound)


def parse_retry_after(header: str | None, now: float) -> float | None:
    """Parse a ``Retry-After`` header (seconds or a date) into seconds from ``now``.

    Args:
        header: Value of the header.
        now: Seconds since the epoch.
    """
    if header is None:
        return None
    text = header.strip()
    if re.fullmatch(r"[0-9]+(?:\.[0-9]+)?", text):
        return min(float(text), LONGEST_REPORTED)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - now)
    except (ValueError, TypeError, OverflowError):
        return None
