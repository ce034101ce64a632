"""Complete responses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

import httpx

T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class RawResponse(Generic[T]):
    """A successful response: the typed value plus status, headers and body.

    Attributes:
        status: HTTP status code.
        headers: Response headers. Lookups ignore case.
        body: Raw response body. ``repr`` shows only its length.
        value: Return value of the call.
        execution_id: Id of the execution that the call created.
        request_id: Id of the request in the logs of the service.
        attempts: Number of attempts, including the first.
        idempotency_key: Key sent with every attempt.
    """

    status: int
    headers: httpx.Headers
    body: bytes
    value: T
    execution_id: str | None
    attempts: int
    idempotency_key: str
    request_id: str | None = None

    def __repr__(self) -> str:
        """Show the length of the body, which may contain secrets."""
        return (
            f"{type(self).__name__}(status={self.status!r}, headers={self.headers!r}, "
            f"body=<{len(self.body)} bytes>, value={self.value!r}, "
            f"execution_id={self.execution_id!r}, attempts={self.attempts!r}, "
            f"idempotency_key={self.idempotency_key!r}, request_id={self.request_id!r})"
        )

    def holding(self, value: U) -> RawResponse[U]:
        """Return a copy with another value."""
        return RawResponse(
            status=self.status,
            headers=self.headers,
            body=self.body,
            value=value,
            execution_id=self.execution_id,
            attempts=self.attempts,
            idempotency_key=self.idempotency_key,
            request_id=self.request_id,
        )
