"""HTTP responses and the errors they map to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import httpx

from . import errors
from ._protojson import parse_json
from ._retries import LONGEST_REPORTED, parse_retry_after

if TYPE_CHECKING:
    from ._api_key import ApiKey
    from ._json_value import JsonValue

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

_BY_CODE: Final[dict[tuple[int, str | None], type[errors.StatusError]]] = {
    (403, "tenant_suspended"): errors.TenantSuspendedError,
    (403, "app_key_graph_denied"): errors.AppKeyGraphDeniedError,
    (429, "quota_exceeded"): errors.QuotaExceededError,
}

_LONGEST_SHOWN: Final = 500


@dataclass(slots=True)
class Answer:
    """A complete HTTP response."""

    status: int
    headers: httpx.Headers
    body: bytes

    def without(self, api_key: ApiKey) -> Answer:
        """Return the response with the API key redacted, in case a proxy echoed it."""
        headers = self.headers
        if any(api_key.stands_in(value) for _, value in headers.raw):
            headers = httpx.Headers(
                [(name, api_key.redact(value)) for name, value in headers.multi_items()]
            )
        return Answer(self.status, headers, api_key.redact_bytes(self.body))

    @property
    def is_success(self) -> bool:
        """Whether the status is 2xx."""
        return 200 <= self.status < 300


def error_of(answer: Answer, now: float) -> errors.StatusError:
    """Return the error for an unsuccessful response.

    Args:
        answer: The response.
        now: Seconds since the epoch, used when ``Retry-After`` is a date.
    """
    body = _read_body(answer.body.decode("utf-8", "replace"))
    fields = body if isinstance(body, dict) else {}
    code = _text(fields.get("error"))
    by_status = _BY_STATUS.get(
        answer.status,
        errors.ServerError if answer.status >= 500 else errors.StatusError,
    )
    retry_after = parse_retry_after(answer.headers.get("retry-after"), now)
    if retry_after is None:
        retry_after = _number(fields.get("retry_after_seconds"))
    execution_id = execution_id_of(answer) or _text(fields.get("execution_id"))
    run = f", execution {execution_id}" if execution_id else ""
    return _BY_CODE.get((answer.status, code), by_status)(
        f"{_explain(body, fields)} (HTTP {answer.status}{run})",
        status=answer.status,
        code=code,
        body=body,
        execution_id=execution_id,
        retry_after=retry_after,
    )


def execution_id_of(answer: Answer) -> str | None:
    """Return the id of the execution behind a response."""
    header = answer.headers.get("x-execution-id")
    return header or None


def _read_body(text: str) -> JsonValue:
    try:
        return parse_json(text)
    except errors.MessageError:
        return text


def _explain(body: JsonValue, fields: dict[str, JsonValue]) -> str:
    for name in ("error_message", "message", "error"):
        text = _text(fields.get(name))
        if text:
            return text
    if isinstance(body, str) and body.strip():
        return body.strip()[:_LONGEST_SHOWN]
    return "no error message"


def _text(value: JsonValue) -> str | None:
    return value if isinstance(value, str) and value else None


def _number(value: JsonValue) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(min(value, LONGEST_REPORTED)) if value >= 0 else None
