"""Retry policy: which failures to retry, and after what delay."""

from __future__ import annotations

import random
import re
from email.utils import parsedate_to_datetime
from threading import Lock
from typing import Final

from .errors import ConnectionFailedError, StatusError, SvcError

LONGEST_RETRY_AFTER: Final = 60.0
"""Longest ``Retry-After`` that a call honours, in seconds. Beyond it, calls fail."""

LONGEST_REPORTED: Final = 1e9
"""Upper bound of reported ``Retry-After`` values, in seconds."""

_CAPACITY: Final = 100
_COST: Final = 10


class RetryBudget:
    """A token bucket that limits the retries of a client while the service is failing.

    Each retry takes one token. Each success returns a tenth of a token, so with an
    empty bucket about one call in ten can still be retried.
    """

    def __init__(self) -> None:
        # Counted in tenths of a token, which keeps the arithmetic exact.
        self._tenths = _CAPACITY
        self._lock = Lock()

    def take(self) -> bool:
        """Take a token for a retry. Return ``False`` if the bucket is empty."""
        with self._lock:
            if self._tenths < _COST:
                return False
            self._tenths -= _COST
            return True

    def give_back(self) -> None:
        """Record a success."""
        with self._lock:
            self._tenths = min(_CAPACITY, self._tenths + 1)


def may_pass(error: SvcError) -> bool:
    """Report whether the error is transient."""
    if isinstance(error, StatusError):
        status = error.status or 0
        return status in {408, 429} or status >= 500
    return isinstance(error, ConnectionFailedError)


def wait_before(
    retry: int, *, retry_after: float | None, first: float, longest: float
) -> float | None:
    """Return the delay in seconds before a retry, where ``retry`` counts from 1.

    ``retry_after`` takes precedence. Otherwise the delay is random between 0 and a
    bound that doubles with each retry, from ``first`` to ``longest``. ``None`` means
    that ``retry_after`` is too long.
    """
    if retry_after is not None:
        return retry_after if retry_after <= LONGEST_RETRY_AFTER else None
    return random.random() * min(longest, first * 2.0 ** min(retry - 1, 60))


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
