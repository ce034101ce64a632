"""What a client is made with, and what one call may change of it."""

from __future__ import annotations

import logging
import os
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypedDict
from urllib.parse import urlsplit

from ._api_key import ApiKey
from .errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULT_TIMEOUT: Final = 60.0
"""Seconds for a call, its retries and waits included."""

DEFAULT_MAX_RETRIES: Final = 2

DEFAULT_RETRY_DELAY: Final = 0.5
"""Seconds; upper bound of the wait before the first retry. It doubles with each retry."""

DEFAULT_MAX_RETRY_DELAY: Final = 8.0
"""Seconds; upper bound of every wait between retries."""


_HEADER: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+:[ -~]*")

_OF_TRANSPORT: Final = frozenset(
    {"connection", "content-length", "expect", "host", "transfer-encoding", "upgrade"}
)
"""Headers that say how a request travels."""


class CallOptions(TypedDict, total=False):
    """Keyword options that every call takes."""

    timeout: float | None
    """Seconds for this call, its retries and waits included; ``None``: no limit."""

    max_retries: int
    """How often to try again after a failure that may pass; 0: never."""

    idempotency_key: str
    """Key that names this call, the same on every retry; made when absent."""

    headers: Mapping[str, str]
    """Further headers, stronger than the client's own further headers."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Checked settings of a client."""

    api_key: ApiKey
    base_url: str
    timeout: float | None
    max_retries: int
    retry_delay: float
    max_retry_delay: float
    headers: Mapping[str, str] = field(repr=False)
    logger: logging.Logger = field(repr=False)


def read_settings(
    *,
    api_key: str | None,
    base_url: str | None,
    timeout: float | None,
    max_retries: int,
    retry_delay: float,
    max_retry_delay: float,
    headers: Mapping[str, str] | None,
    logger: logging.Logger | None,
) -> Settings:
    """Check what was given and take the rest from the environment.

    Raises:
        ConfigurationError: Something is missing or malformed; says what to do.
    """
    key = os.environ.get("SVC_API_KEY") if api_key is None else api_key
    if not key:
        raise ConfigurationError("no API key: set SVC_API_KEY, or pass api_key")
    url = os.environ.get("SVC_BASE_URL") if base_url is None else base_url
    if not url:
        raise ConfigurationError("no base URL: set SVC_BASE_URL, or pass base_url")
    return Settings(
        api_key=ApiKey(key),
        base_url=_check_base_url(url.strip()),
        timeout=check_timeout(timeout),
        max_retries=check_max_retries(max_retries),
        retry_delay=max(0.0, retry_delay),
        max_retry_delay=max(0.0, max_retry_delay),
        headers=check_headers(headers or {}),
        logger=logger or logging.getLogger(__package__),
    )


def check_timeout(timeout: float | None) -> float | None:
    """Refuse a timeout that no call could meet."""
    if timeout is not None and not timeout > 0:
        raise ConfigurationError("timeout must be more than 0 seconds, or None")
    return timeout


def check_max_retries(max_retries: int) -> int:
    """Refuse a negative number of retries."""
    if max_retries < 0:
        raise ConfigurationError("max_retries must be 0 or more")
    return max_retries


def check_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Refuse header values that HTTP cannot carry, before they become half a request."""
    for name, value in headers.items():
        if not _HEADER.fullmatch(f"{name}:{value}"):
            raise ConfigurationError(
                f"the header {name!r} must be printable ASCII, name and value"
            )
        if name.lower() in _OF_TRANSPORT:
            raise ConfigurationError(
                f"the header {name!r} is the transport's own: leave it out"
            )
    return {name: value.strip(" ") for name, value in headers.items()}


def _check_base_url(url: str) -> str:
    malformed = ConfigurationError(
        "the base URL is malformed: give it as https://host or http://host:port"
    )
    try:
        parts = urlsplit(url)
    except ValueError:
        raise malformed from None
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise malformed
    if parts.username is not None or parts.query or parts.fragment:
        raise ConfigurationError(
            "the base URL must not hold a user, a query or a fragment"
        )
    return url.rstrip("/")
