"""Errors raised by this package. All derive from :class:`SvcError`.

>>> try:
...     method(message)  # a method of a client
... except RateLimitedError as error:
...     time.sleep(error.retry_after or 1)
... except SvcError as error:
...     print(error, error.execution_id)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

import httpx

from ._json_value import JsonValue

if TYPE_CHECKING:
    from ._any_execution import AnyExecution
    from ._execution_record import ExecutionRecord


class SvcError(Exception):
    """Base class of all errors raised by this package.

    Attributes:
        message: Human-readable description. Never contains the API key.
        status: HTTP status code, or ``None`` if there was no response.
        code: Error code of the service, for example ``quota_exceeded``, if present.
        body: Response body: parsed if it is JSON, otherwise text.
        headers: Response headers, or ``None`` if there was no response.
        execution_id: Id of the execution that the call created or read, if known.
        request_id: Id of the request in the logs of the service, if there was a
            response.
        attempts: Number of attempts; 0 if no request was sent.
        idempotency_key: Key sent with every attempt, if a request was sent.
        retry_after: Seconds to wait before the next attempt, if the service sent them.
    """

    _own_code: ClassVar[str | None] = None
    """Default error code, if the response has none."""

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        code: str | None = None,
        headers: httpx.Headers | None = None,
        body: JsonValue = None,
        execution_id: str | None = None,
        request_id: str | None = None,
        attempts: int = 0,
        idempotency_key: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        """Create an error. Each argument sets the attribute of the same name."""
        super().__init__(message)
        self.message = message
        self.status = status
        self.code: str | None = code or self._own_code
        self.headers = headers
        self.body = body
        self.execution_id = execution_id
        self.request_id = request_id
        self.attempts = attempts
        self.idempotency_key = idempotency_key
        self.retry_after = retry_after

    def __reduce__(self) -> tuple[Callable[..., SvcError], tuple[Any, ...]]:
        """Support pickling despite keyword-only arguments."""
        # The execution is dropped because its client cannot be pickled.
        state = {k: v for k, v in self.__dict__.items() if k != "execution"}
        return _rebuild, (type(self), self.message, state)


def _rebuild(kind: type[SvcError], message: str, state: dict[str, Any]) -> SvcError:
    error = kind(message)
    error.__dict__.update(state)
    return error


class ConfigurationError(SvcError):
    """A client or call option is missing or malformed. No request was sent.

    Also raised if the client, the stream or the session is closed, or if the session is
    not open yet.
    """


class MessageError(SvcError, ValueError):
    """A message cannot be encoded as, or decoded from, ProtoJSON."""


class IdempotencyMismatchError(SvcError):
    """The idempotency key was already used for a different request.

    No run was started. ``execution_id`` is the run of the earlier request.
    """


class ConnectionFailedError(SvcError):
    """The service is unreachable, or the connection was lost."""


class TimedOutError(SvcError, TimeoutError):
    """The call, including retries, did not complete within its ``timeout``.

    Also raised if its last attempt did not complete within the ``attempt_timeout``; the
    message says which. It is also a built-in :class:`TimeoutError`.
    """


class WaitTimedOutError(TimedOutError):
    """The run of a flow did not end within the ``timeout``. It continues.

    Attributes:
        execution: Handle to the run, for example to wait again: an ``Execution`` for
            ``Client``, an ``AsyncExecution`` for ``AsyncClient``.
    """

    execution: AnyExecution | Any = None


class FlowFailedError(SvcError):
    """The run of a flow failed, was cancelled or was forked.

    ``message`` contains the reason.

    Attributes:
        record: The record of the run, if the call read it. Its ``status`` distinguishes
            failed, cancelled and forked runs, and ``failed_node_name`` is the node at
            which the run failed.
        execution: Handle to the run, for example to read the record: an ``Execution``
            for ``Client``, an ``AsyncExecution`` for ``AsyncClient``; ``None`` if a
            stream failed.
    """

    _own_code = "flow_failed"
    record: ExecutionRecord | None = None
    execution: AnyExecution | Any = None


class FlowPausedError(SvcError):
    """The run of a flow is waiting for a decision. It continues when it is resumed.

    Attributes:
        execution: Handle to the paused run: an ``Execution`` for ``Client``, an
            ``AsyncExecution`` for ``AsyncClient``.
        pause_id: Id of the pause.
    """

    _own_code = "flow_paused"
    execution: AnyExecution | Any = None
    pause_id: str | None = None


class InterruptedResponseError(ConnectionFailedError):
    """The connection was lost while reading the response."""


class StreamInterruptedError(InterruptedResponseError):
    """A stream ended before its last frame, or its input did not arrive in full.

    The messages received before are valid.
    """


class InvalidResponseError(SvcError):
    """A successful response is not valid JSON for the return type."""


class StatusError(SvcError):
    """The service returned an error status. Subclasses cover the common ones."""


class BadRequestError(StatusError):
    """400: the request is invalid."""


class UnauthorizedError(StatusError):
    """401: the API key is missing, invalid, expired or revoked."""


class ForbiddenError(StatusError):
    """403: the API key lacks permission."""


class TenantSuspendedError(ForbiddenError):
    """403 ``tenant_suspended``: the tenant is suspended."""


class AppKeyGraphDeniedError(ForbiddenError):
    """403 ``app_key_graph_denied``: the app key does not cover this flow."""


class NotFoundError(StatusError):
    """404: the resource does not exist or is not deployed."""


class PayloadTooLargeError(StatusError):
    """413: the input exceeds the size limit of the service."""


class NodeFailedError(StatusError):
    """422, or the last message of a stream: the node returned an error."""

    _own_code = "node_failed"


class RateLimitedError(StatusError):
    """429: too many requests."""


class QuotaExceededError(RateLimitedError):
    """429 ``quota_exceeded``: a daily quota is exhausted. It resets at midnight UTC."""


class ServerError(StatusError):
    """5xx: the service failed."""


class UpstreamUnavailableError(ServerError):
    """502, 503 or 504: a dependency of the service is temporarily unavailable."""
