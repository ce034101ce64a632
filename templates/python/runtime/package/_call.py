"""The logic of a call without I/O: when to send, pause, retry and stop.

The synchronous and the asyncio client run the same generators.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from ._answers import Answer, error_of, execution_id_of
from ._attempt import Outcome, Pause, Send, Step
from ._response import RawResponse
from ._retries import RetryBudget, may_pass, wait_before
from ._settings import Settings, check_max_retries, check_timeout
from .errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from ._call_options import CallOptions
    from ._request_headers import RequestHeaders
    from .errors import SvcError

T = TypeVar("T")

Body: TypeAlias = "bytes | Callable[[float | None], bytes] | None"
"""The body, or a function of the seconds left; ``None`` for no body."""


class Call:
    """A call: its attempts share one idempotency key and one deadline."""

    def __init__(
        self,
        settings: Settings,
        budget: RetryBudget,
        headers: RequestHeaders,
        path: str,
        options: CallOptions,
        *,
        http_method: str,
    ) -> None:
        self._settings = settings
        self._budget = budget
        self._http_method = http_method
        self._path = path
        self._max_retries = check_max_retries(
            options.get("max_retries", settings.max_retries)
        )
        timeout = check_timeout(options.get("timeout", settings.timeout))
        self._deadline = None if timeout is None else time.monotonic() + timeout
        self._idempotency_key = _idempotency_key_of(options)
        self._headers = headers
        self._given_headers = options.get("headers")
        self._attempts = 0

    def run(self, body: Body = None) -> Generator[Step, Outcome, Answer]:
        """Run the call until it succeeds or fails.

        Yields steps and receives their outcomes: the response or error of a
        :class:`Send`, ``None`` for a :class:`Pause`. Returns the successful response.
        A ``body`` function is called again for each attempt.

        Raises:
            SvcError: The error of the last attempt.
        """
        url = self._settings.base_url + self._path
        headers = self._headers.of(
            self._idempotency_key, self._given_headers, has_body=body is not None
        )
        while True:
            self._attempts += 1
            started = time.monotonic()
            sent = body(self._seconds_left()) if callable(body) else body
            outcome = yield Send(self._http_method, url, headers, sent, self._deadline)
            error = self._judge(outcome, (time.monotonic() - started) * 1_000)
            if isinstance(error, Answer):
                self._budget.give_back()
                return error
            wait = self._wait_after(error)
            if wait is None:
                raise error
            self._settings.logger.info(
                "%s %s: starting attempt %d in %.2f s: %s",
                self._http_method,
                self._path,
                self._attempts + 1,
                wait,
                error,
            )
            yield Pause(wait)

    def respond(
        self, value: T, answer: Answer, execution_id: str | None = None
    ) -> RawResponse[T]:
        """Return the response of the call with ``value`` read from it."""
        return RawResponse(
            status=answer.status,
            headers=answer.headers,
            body=answer.body,
            value=value,
            execution_id=execution_id_of(answer) or execution_id,
            attempts=self._attempts,
            idempotency_key=self._idempotency_key,
        )

    def _seconds_left(self) -> float | None:
        return None if self._deadline is None else self._deadline - time.monotonic()

    def _judge(self, outcome: Outcome, took: float) -> Answer | SvcError:
        logger = self._settings.logger
        method, path = self._http_method, self._path
        if isinstance(outcome, Answer):
            logger.debug("%s %s: %d in %.0f ms", method, path, outcome.status, took)
            answer = outcome.without(self._settings.api_key)
            return answer if answer.is_success else error_of(answer, time.time())
        if outcome is None:
            raise RuntimeError("the outcome of an attempt is missing")
        logger.debug(
            "%s %s: no response after %.0f ms: %s", method, path, took, outcome
        )
        return outcome

    def _wait_after(self, error: SvcError) -> float | None:
        if self._attempts > self._max_retries or not may_pass(error):
            return None
        wait = wait_before(
            self._attempts,
            retry_after=error.retry_after,
            first=self._settings.retry_delay,
            longest=self._settings.max_retry_delay,
        )
        if wait is None:
            return None
        if self._deadline is not None and time.monotonic() + wait >= self._deadline:
            return None
        return wait if self._budget.take() else None


def _idempotency_key_of(options: CallOptions) -> str:
    key = options.get("idempotency_key")
    if key is None:
        return os.urandom(16).hex()
    if not key or " " in key or not key.isascii() or not key.isprintable():
        raise ConfigurationError(
            "the idempotency key must contain only visible ASCII characters"
        )
    return key
