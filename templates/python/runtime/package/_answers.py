"""HTTP responses and the errors they map to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

import httpx

from . import errors
from ._protojson import parse_json
from ._retries import LONGEST_REPORTED, parse_retry_after

if TYPE_CHECKING:
    from ._api_key import ApiKey
    from ._json_value import JsonValue

E = TypeVar("E", bound=errors.SvcError)

_BY_STATUS: Final[dict[int, type[errors.StatusError]]] = {
    400: errors.BadRequestError,
    401: errors.UnauthorizedError,
    403: errors.ForbiddenError,
    404: errors.NotFoundError,
    413: errors.PayloadTooLargeError,
    422: errors.NodeFailedError,
    429: errors.RateLimitedError,
    502: errors.UpstreamUnavailableError,
    503: errors.UpstreamUnavailableError,
    504: errors.UpstreamUnavailableError,
}

_BY_CLASS: Final[dict[tuple[int, str | None], type[errors.StatusError]]] = {
    (403, "tenant_suspended"): errors.TenantSuspendedError,
    (403, "app_key_graph_denied"): errors.AppKeyGraphDeniedError,
    (429, "quota_exceeded"): errors.QuotaExceededError,
}

MISMATCH: Final = "Idempotency-Mismatch"
"""Header that lists how a request differs from the first one with the same key."""

_DIFFERING: Final = {"graph_id": "flow", "input": "input", "execution_id": "execution"}
"""Parts of a request, by their names in that header."""

_LONGEST_SHOWN: Final = 500


@dataclass(slots=True, repr=False, eq=False)
class Answer:
    """A complete HTTP response, as received.

    Attributes:
        status: HTTP status code.
        headers: Response headers.
        body: Response body.
        api_key: The key of the request, to be redacted in errors.
        attempts: Number of attempts of the call so far.
        idempotency_key: Key of the call.
        about: Id of the execution that the call refers to, if any.
    """

    status: int
    headers: httpx.Headers
    body: bytes
    api_key: ApiKey
    attempts: int = 0
    idempotency_key: str | None = None
    about: str | None = None
    stream: Any = None
    """The body or the WebSocket of the driver, if the response is streamed."""

    @property
    def request_id(self) -> str | None:
        """Id of the request, from the response headers."""
        return request_id_in(self.headers)

    @property
    def is_success(self) -> bool:
        """Whether the status is 2xx, or the connection is an open WebSocket."""
        return 200 <= self.status < 300 or self.stream is not None

    def to_error(
        self,
        kind: type[E],
        message: str,
        *,
        body: JsonValue,
        code: str | None = None,
        execution_id: str | None = None,
        retry_after: float | None = None,
    ) -> E:
        """Return an error about the response, with the API key redacted."""
        redact = self.api_key.redact
        return kind(
            redact(message),
            status=self.status,
            code=None if code is None else redact(code),
            headers=self.api_key.redact_headers(self.headers),
            body=self.api_key.redact_json(body),
            execution_id=execution_id or execution_id_of(self),
            request_id=self.request_id,
            attempts=self.attempts,
            idempotency_key=self.idempotency_key,
            retry_after=retry_after,
        )


def error_of(answer: Answer, now: float) -> errors.StatusError:
    """Return the error for an unsuccessful response.

    Args:
        answer: The response.
        now: Seconds since the epoch, used when ``Retry-After`` is a date.
    """
    text = answer.body.decode("utf-8", "replace")
    body = _read_body(text)
    fields = body if isinstance(body, dict) else {}
    by_status = _BY_STATUS.get(
        answer.status,
        errors.ServerError if answer.status >= 500 else errors.StatusError,
    )
    retry_after = parse_retry_after(answer.headers.get("retry-after"), now)
    if retry_after is None:
        retry_after = _number(fields.get("retry_after_seconds"))
    execution_id = execution_id_of(answer)
    said = _redirect(answer) or _explain(answer, text.strip(), fields)
    return answer.to_error(
        _BY_CLASS.get((answer.status, _class(fields)), by_status),
        said + details(answer, execution_id, status=answer.status),
        code=_text(fields.get("code")) or _class(fields),
        body=body,
        execution_id=execution_id,
        retry_after=retry_after,
    )


def mismatch_of(answer: Answer) -> errors.IdempotencyMismatchError | None:
    """Return an error if the key belongs to a different earlier request."""
    header: str = answer.headers.get(MISMATCH, "")
    names = [name.strip() for name in header.split(",") if name.strip()]
    if not names:
        return None
    differing = " and ".join(_DIFFERING.get(name, name) for name in names)
    execution_id = execution_id_of(answer)
    return answer.to_error(
        errors.IdempotencyMismatchError,
        "the idempotency key belongs to an earlier request that differs in its "
        f"{differing}{details(answer, execution_id)}",
        body=_read_body(answer.body.decode("utf-8", "replace")),
        execution_id=execution_id,
    )


def details(
    answer: Answer, execution_id: str | None = None, *, status: int | None = None
) -> str:
    """Return the suffix of an error message: status and ids, where known."""
    parts = [
        f"HTTP {status}" if status is not None else "",
        f"execution {execution_id}" if execution_id else "",
        f"request {answer.request_id}" if answer.request_id else "",
    ]
    known = ", ".join(part for part in parts if part)
    return f" ({known})" if known else ""


def name_run(error: errors.SvcError, execution_id: str | None) -> None:
    """Add the execution id to an error and its message, unless it has one."""
    error.execution_id = error.execution_id or execution_id
    if error.execution_id and error.execution_id not in error.message:
        extend_message(error, f" (execution {error.execution_id})")


def extend_message(error: errors.SvcError, text: str) -> None:
    """Append text to the message of an error."""
    error.message += text
    error.args = (error.message,)


def request_id_in(headers: httpx.Headers) -> str | None:
    """Return the request id from the response headers."""
    return headers.get("x-request-id") or None


def execution_id_in_header(answer: Answer) -> str | None:
    """Return the execution id from the response headers."""
    header: str | None = answer.headers.get("x-execution-id")
    return answer.api_key.redact(header) if header else None


def execution_id_of(answer: Answer) -> str | None:
    """Return the id of the execution that the response or the call refers to."""
    header = execution_id_in_header(answer)
    if header is not None:
        return header
    body = _read_body(answer.body.decode("utf-8", "replace"))
    named = _text(body.get("execution_id")) if isinstance(body, dict) else None
    return answer.api_key.redact(named) if named else answer.about


def _read_body(text: str) -> JsonValue:
    try:
        return parse_json(text)
    except errors.MessageError:
        return text


def _redirect(answer: Answer) -> str | None:
    """Explain a redirect. None is followed, to keep the API key with this service."""
    location: str | None = answer.headers.get("location")
    if not 300 <= answer.status < 400 or not location:
        return None
    shown = _shortened(answer, location)
    return f"the service redirects to {shown}; check the base URL"


def _explain(answer: Answer, body: str, fields: dict[str, JsonValue]) -> str:
    for name in ("error_message", "message", "error"):
        text = _text(fields.get(name))
        if text:
            return text
    if body in {"", "{}"}:
        return "no error message"
    return _shortened(answer, body)


def _shortened(answer: Answer, text: str) -> str:
    """Truncate text without leaving a part of the API key at its end."""
    return answer.api_key.redact(text)[:_LONGEST_SHOWN]


def _class(fields: dict[str, JsonValue]) -> str | None:
    """Return ``error``, or ``code`` if ``error`` is a sentence or missing."""
    said = _text(fields.get("error"))
    if said is not None and said.split() == [said]:
        return said
    return _text(fields.get("code"))


def _text(value: JsonValue) -> str | None:
    return value if isinstance(value, str) and value else None


def _number(value: JsonValue) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(min(value, LONGEST_REPORTED)) if value >= 0 else None
