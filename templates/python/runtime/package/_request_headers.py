"""Request headers."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import httpx

from ._settings import check_headers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ._settings import Settings

RawHeaders: TypeAlias = "list[tuple[bytes, bytes]]"
"""Encoded names and values, in the internal form of the HTTP library."""


def stream_headers(headers: RawHeaders, *, accepts: bool, sends: bool) -> RawHeaders:
    """Return the headers of a streaming request.

    Args:
        headers: Headers of a request without streaming.
        accepts: Whether the response is an event stream.
        sends: Whether the request body is a stream of lines.
    """
    own: RawHeaders = []
    if accepts:
        own.append((b"Accept", b"text/event-stream, application/json"))
    if sends:
        own.append((b"Content-Type", b"application/x-ndjson"))
    names = {name.lower() for name, _ in own}
    return [*(each for each in headers if each[0].lower() not in names), *own]


class RequestHeaders:
    """Headers of a client's requests, merged once because most calls add none."""

    __slots__ = ("_given", "_own", "_usual")

    def __init__(self, settings: Settings, identity: str) -> None:
        """Merge the headers of the package over those of the settings."""
        self._given = settings.headers
        self._own = {
            "Accept": "application/json",
            "X-Svc-Client": identity,
        }
        self._usual = {
            has_body: self._join({}, has_body=has_body) for has_body in (False, True)
        }

    def of(
        self,
        idempotency_key: str,
        given: Mapping[str, str] | None,
        *,
        has_body: bool,
    ) -> RawHeaders:
        """Return the headers of one call.

        Args:
            idempotency_key: The key of the call, ASCII.
            given: Additional headers of the call. They override those of the settings.
            has_body: Whether the call sends a JSON body.

        Raises:
            ConfigurationError: A header is malformed or not allowed.
        """
        rest = self._join(given, has_body=has_body) if given else self._usual[has_body]
        return [*rest, (b"Idempotency-Key", idempotency_key.encode("ascii"))]

    def _join(self, given: Mapping[str, str], *, has_body: bool) -> RawHeaders:
        headers = httpx.Headers(self._given)
        headers.update(check_headers(given))
        headers.update(self._own)
        agent = headers.get("User-Agent")
        identity = self._own["X-Svc-Client"]
        headers["User-Agent"] = f"{agent} {identity}" if agent else identity
        if has_body:
            headers["Content-Type"] = "application/json"
        return headers.raw
