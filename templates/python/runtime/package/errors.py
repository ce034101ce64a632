"""Everything that a call may raise: one base, :class:`SvcError`, and a subtype for each cause.

>>> try:
...     client.tokenize(message)
... except RateLimitedError as error:
...     wait(error.retry_after)
... except SvcError as error:
...     report(error, error.execution_id)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._execution import AsyncExecution, Execution
    from ._protojson.json_text import JsonValue


class SvcError(Exception):
    """Base of everything that this package raises.

    Attributes:
        message: What happened, for people. Never holds the API key.
        status: HTTP status of the answer, ``None`` when there was none.
        code: The service's stable error class, ``quota_exceeded``, when it gave one.
        body: Body of the answer: parsed when it is JSON, else its text.
        execution_id: Id of the execution that the call made, when known.
        retry_after: Seconds to wait before another attempt, when the service said so.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        code: str | None = None,
        body: JsonValue = None,
        execution_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        """Make an error; every argument is the attribute of the same name."""
        super().__init__(message)
        self.message = message
        self.status = status
        self.code = code
        self.body = body
        self.execution_id = execution_id
        self.retry_after = retry_after

    def __reduce__(self) -> tuple[Callable[..., SvcError], tuple[Any, ...]]:
        """Let the error travel between processes, keyword-only arguments included."""
        # An execution belongs to its client, which stays in its process.
        state = {k: v for k, v in self.__dict__.items() if k != "execution"}
        return _rebuild, (type(self), self.message, state)


def _rebuild(kind: type[SvcError], message: str, state: dict[str, Any]) -> SvcError:
    error = kind(message)
    error.__dict__.update(state)
    return error


class ConfigurationError(SvcError):
    """The client cannot be made as asked: no key, no base URL, or one that is malformed."""


class MessageError(SvcError, ValueError):
    """A message cannot be written as ProtoJSON, or a text is not ProtoJSON of it."""


class ConnectionFailedError(SvcError):
    """The service could not be reached, or the connection broke before an answer."""


class TimedOutError(SvcError):
    """The call, its retries included, took longer than its ``timeout``."""


class WaitTimedOutError(TimedOutError):
    """The flow had not ended when the ``timeout`` was over; it runs on.

    Attributes:
        execution: The run: wait for it again, or look at it later by its id.
    """

    execution: Execution[Any] | AsyncExecution[Any] | None = None


class FlowFailedError(SvcError):
    """The run of a flow failed or was cancelled; the message is the run's own."""


class FlowPausedError(SvcError):
    """The run of a flow waits for a decision; it goes on when somebody resumes it.

    Attributes:
        execution: The parked run.
        pause_id: The pause that waits for the decision.
    """

    execution: Execution[Any] | AsyncExecution[Any] | None = None
    pause_id: str | None = None


class InterruptedAnswerError(ConnectionFailedError):
    """The connection broke in the middle of the answer."""


class InvalidAnswerError(SvcError):
    """A successful answer is not JSON, or does not fit what the call returns."""


class StatusError(SvcError):
    """The service refused the call; also the type of refusals that have none of their own."""


class BadRequestError(StatusError):
    """400: the request does not fit what is called."""


class UnauthorizedError(StatusError):
    """401: the key is missing, malformed, expired or revoked."""


class ForbiddenError(StatusError):
    """403: the key may not do this."""


class TenantSuspendedError(ForbiddenError):
    """403 ``tenant_suspended``: the operator has suspended the tenant."""


class AppKeyGraphDeniedError(ForbiddenError):
    """403 ``app_key_graph_denied``: the app key was not minted for this flow."""


class NotFoundError(StatusError):
    """404: unknown to this tenant, or not deployed."""


class PayloadTooLargeError(StatusError):
    """413: the input is larger than the service takes."""


class NodeFailedError(StatusError):
    """422: the node itself returned an error."""


class RateLimitedError(StatusError):
    """429: too many requests in a short time."""


class QuotaExceededError(RateLimitedError):
    """429 ``quota_exceeded``: a daily quota is used up until midnight UTC."""


class ServerError(StatusError):
    """5xx: the service failed."""


class UpstreamUnavailableError(ServerError):
    """502, 503 or 504: something that the service needs is down, usually for a moment."""
