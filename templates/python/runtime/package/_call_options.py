"""The options of one call."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from collections.abc import Mapping


class CallOptions(TypedDict, total=False):
    """Keyword options that every call accepts."""

    timeout: float | None
    """Timeout of the whole call in seconds, retries included; ``None`` for no limit."""

    max_retries: int
    """Maximum number of retries after a transient failure; 0 disables retries."""

    idempotency_key: str
    """Key sent with every attempt of the call. Generated when omitted."""

    headers: Mapping[str, str]
    """Additional headers. They override additional headers set on the client."""
