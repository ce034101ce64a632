"""An answer with everything that came along."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    import httpx

T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True, slots=True)
class RawResponse(Generic[T]):
    """A successful answer: status, headers and body beside the typed value.

    Attributes:
        status: HTTP status.
        headers: Headers, looked up in any case.
        body: The body as received.
        value: What the call returns.
        execution_id: Id of the execution that the call made.
        attempts: How often the request was sent.
        idempotency_key: Key that every attempt carried.
    """

    status: int
    headers: httpx.Headers
    body: bytes
    value: T
    execution_id: str | None
    attempts: int
    idempotency_key: str

    def holding(self, value: U) -> RawResponse[U]:
        """Give the same answer with another value."""
        return RawResponse(
            status=self.status,
            headers=self.headers,
            body=self.body,
            value=value,
            execution_id=self.execution_id,
            attempts=self.attempts,
            idempotency_key=self.idempotency_key,
        )
