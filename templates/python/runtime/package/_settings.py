"""Client settings: defaults, environment variables and validation."""

from __future__ import annotations

import logging
import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

import httpx

from ._api_key import ApiKey
from ._protojson import Unset
from .errors import ConfigurationError

DEFAULT_TIMEOUT: Final = 60.0
"""Timeout of a call in seconds, retries included."""

DEFAULT_STREAM_TIMEOUT: Final = 300.0
"""Timeout of a stream in seconds, equal to the time limit of a node."""

DEFAULT_MAX_RETRIES: Final = 2

DEFAULT_RETRY_BUDGET: Final = 100
"""Capacity of the retry budget of a client."""

DEFAULT_RETRY_DELAY: Final = 0.5
"""Maximum delay before the first retry, in seconds. It doubles with each retry."""

DEFAULT_MAX_RETRY_DELAY: Final = 8.0
"""Maximum delay before any retry, in seconds."""

_LONGEST_TIMEOUT: Final = 1e9
"""Timeout in seconds, about 30 years, above which there is no limit."""

# Keeps warnings off stderr in programs that do not configure logging.
logging.getLogger(__package__).addHandler(logging.NullHandler())

_HEADER: Final = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+:[ -~]*")

_OF_TRANSPORT: Final = frozenset(
    {
        *("accept-encoding", "connection", "content-length", "expect", "host"),
        *("transfer-encoding", "upgrade"),
    }
)
"""Headers controlled by the HTTP transport."""

_OF_PACKAGE: Final = {
    "accept": "",
    "authorization": "; pass the API key to the client as api_key",
    "content-type": "",
    "idempotency-key": "; pass the key to the call as idempotency_key",
    "last-event-id": "; pass the id to output() as after",
    "x-svc-client": "",
}
"""Headers that this package sets, and the options to use instead."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Settings:
    """Validated settings of a client."""

    api_key: ApiKey
    base_url: str
    timeout: float | None
    stream_timeout: float | None
    attempt_timeout: float | httpx.Timeout | None
    max_retries: int
    retry_delay: float
    max_retry_delay: float
    retry_budget: int | None
    headers: Mapping[str, str]
    logger: logging.Logger


def read_settings(
    *,
    api_key: ApiKey,
    base_url: str | None,
    timeout: float | Unset | None,
    attempt_timeout: float | httpx.Timeout | None,
    max_retries: int,
    retry_delay: float,
    max_retry_delay: float,
    retry_budget: int | None,
    headers: Mapping[str, str] | None,
    logger: logging.Logger | None,
) -> Settings:
    """Validate settings and read missing ones from the environment.

    Raises:
        ConfigurationError: A setting is missing or malformed.
    """
    api_key.check()
    url = os.environ.get("SVC_BASE_URL") if base_url is None else base_url
    if not url:
        raise ConfigurationError("no base URL: set SVC_BASE_URL or pass base_url")
    if not isinstance(url, str):
        raise ConfigurationError("base_url must be a str")
    return Settings(
        api_key=api_key,
        base_url=_check_base_url(url.strip()),
        timeout=_timeout_or(DEFAULT_TIMEOUT, timeout),
        stream_timeout=_timeout_or(DEFAULT_STREAM_TIMEOUT, timeout),
        attempt_timeout=check_attempt_timeout(attempt_timeout),
        max_retries=check_max_retries(max_retries),
        retry_delay=_check_delay("retry_delay", retry_delay),
        max_retry_delay=_check_delay("max_retry_delay", max_retry_delay),
        retry_budget=None if retry_budget is None else check_max_retries(retry_budget),
        headers=check_headers(headers or {}),
        logger=logger or logging.getLogger(__package__),
    )


def _timeout_or(usual: float, timeout: float | Unset | None) -> float | None:
    return usual if isinstance(timeout, Unset) else check_timeout(timeout)


def _check_delay(name: str, delay: float) -> float:
    if not _is_number(delay) or (isinstance(delay, float) and math.isnan(delay)):
        raise ConfigurationError(f"{name} must be a number of seconds")
    return max(0.0, delay)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def check_timeout(timeout: float | None) -> float | None:
    """Reject timeouts that are not positive. Return ``None`` for no limit."""
    if isinstance(timeout, httpx.Timeout):
        raise ConfigurationError(
            "timeout is the limit of a whole call: pass an httpx.Timeout, which limits "
            "the phases of one attempt, as attempt_timeout"
        )
    if timeout is not None and not _is_number(timeout):
        raise ConfigurationError(
            "the timeout must be a number of seconds; pass None for no limit"
        )
    if timeout is not None and not timeout > 0:
        raise ConfigurationError(
            "the timeout must be greater than 0; pass None for no limit"
        )
    return None if timeout is None or timeout > _LONGEST_TIMEOUT else timeout


def check_attempt_timeout(
    timeout: float | httpx.Timeout | None,
) -> float | httpx.Timeout | None:
    """Reject timeouts that are not positive."""
    return timeout if isinstance(timeout, httpx.Timeout) else check_timeout(timeout)


def check_max_retries(max_retries: int) -> int:
    """Reject retry counts that are negative or not integers."""
    if isinstance(max_retries, bool) or not isinstance(max_retries, int):
        raise ConfigurationError("the number of retries must be an int")
    if max_retries < 0:
        raise ConfigurationError("the number of retries must not be negative")
    return max_retries


def check_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Reject malformed headers, and headers that the package or the transport sets."""
    if not isinstance(headers, Mapping):
        raise ConfigurationError("headers must be a mapping of names to texts")
    for name, value in headers.items():
        if not isinstance(name, str) or not isinstance(value, str):
            raise ConfigurationError(f"the header {name!r} must be a str")
        if not _HEADER.fullmatch(f"{name}:{value}"):
            raise ConfigurationError(
                f"the header {name!r} is malformed: use printable ASCII characters"
            )
        if name.lower() in _OF_TRANSPORT:
            raise ConfigurationError(
                f"the header {name!r} is set by the transport and cannot be changed"
            )
        instead = _OF_PACKAGE.get(name.lower())
        if instead is not None:
            raise ConfigurationError(
                f"the header {name!r} is set by this package and cannot be "
                f"changed{instead}"
            )
    return {name: value.strip(" ") for name, value in headers.items()}


def _check_base_url(url: str) -> str:
    malformed = ConfigurationError(
        "the base URL must be an HTTP or HTTPS URL such as https://svc.example.com"
    )
    try:
        parts = urlsplit(url)
    except ValueError:
        raise malformed from None
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise malformed
    if parts.username is not None or parts.query or parts.fragment:
        raise ConfigurationError(
            "the base URL must not contain a user, a query or a fragment"
        )
    return url.rstrip("/")
