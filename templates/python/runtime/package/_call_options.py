"""The options of one call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict

import httpx


class CallOptions(TypedDict, total=False):
    """Keyword options that every call accepts."""

    timeout: float | None
    """Timeout of the whole call in seconds, retries included; ``None`` for no limit."""

    attempt_timeout: float | httpx.Timeout | None
    """Timeout of each attempt in seconds, or an ``httpx.Timeout`` that limits its
    phases. An attempt that times out is retried. ``None`` applies only the
    ``timeout``."""

    max_retries: int
    """Maximum number of retries after a transient failure; 0 disables retries."""

    idempotency_key: str | None
    """The service starts at most one run of a flow per key within five minutes. Calls
    of nodes and streams ignore the key, so each retry calls the node again. Generated
    when omitted or ``None``."""

    headers: Mapping[str, str] | None
    """Additional headers. They override the headers of the client. Headers that this
    package sets itself are rejected."""
