"""When to try again, and how long to wait before."""

from __future__ import annotations

import random
import re
from email.utils import parsedate_to_datetime
from threading import Lock
from typing import Final

from .errors import ConnectionFailedError, StatusError, SvcError

LONGEST_RETRY_AFTER: Final = 60.0
"""Seconds; a service that asks for more is not waited for."""

LONGEST_TOLD: Final = 1e9
"""Seconds; a number beyond, however many digits it has, is told as this one."""

_CAPACITY: Final = 100
_COST: Final = 10


class RetryBudget:
    """Bounds the retries of a whole client, so that a failing service meets no storm.

    Each retry takes a token and each success gives a tenth of one back: when the bucket is
    empty, about one call in ten may still be retried.
    """

    def __init__(self) -> None:
        # In tenths of a token, so that sums are exact.
        self._tenths = _CAPACITY
        self._lock = Lock()

    def take(self) -> bool:
        """Take a token for a retry; false when there is none."""
        with self._lock:
            if self._tenths < _COST:
                return False
            self._tenths -= _COST
            return True

    def give_back(self) -> None:
        """Count a success."""
        with self._lock:
            self._tenths = min(_CAPACITY, self._tenths + 1)


def may_pass(error: SvcError) -> bool:
    """Tell whether the same call may succeed a moment later."""
    if isinstance(error, StatusError):
        status = error.status or 0
        return status in {408, 429} or status >= 500
    return isinstance(error, ConnectionFailedError)


def wait_before(
    retry: int, *, retry_after: float | None, first: float, longest: float
) -> float | None:
    """Choose the seconds to wait before a retry, counted from 1.

    What the service asks for goes first. Without it the wait is random between 0 and a
    bound that doubles from ``first`` to ``longest`` with each retry. ``None``: the service
    asks for more patience than a call has, do not retry.
    """
    if retry_after is not None:
        return retry_after if retry_after <= LONGEST_RETRY_AFTER else None
    return random.random() * min(longest, first * 2.0 ** min(retry - 1, 60))


def parse_retry_after(header: str | None, now: float) -> float | None:
    """Read a ``Retry-After`` header, seconds or a date, as seconds from ``now``.

    Args:
        header: The header's value.
        now: Seconds since the epoch.
    """
    if header is None:
        return None
    text = header.strip()
    if re.fullmatch(r"[0-9]+(?:\.[0-9]+)?", text):
        return min(float(text), LONGEST_TOLD)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - now)
    except (ValueError, TypeError, OverflowError):
        return None
