"""The course of a call, without input or output: when to send, wait and give up.

Both clients drive the same generator; only how they send and sleep differs.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, TypeVar

import httpx

from ._answers import Answer, error_of, execution_id_of
from ._attempt import Outcome, Pause, Send, Step
from ._response import RawResponse
from ._retries import RetryBudget, may_pass, wait_before
from ._settings import (
    CallOptions,
    Settings,
    check_headers,
    check_max_retries,
    check_timeout,
)

if TYPE_CHECKING:
    from collections.abc import Generator

    from ._method import Method
    from .errors import SvcError

In = TypeVar("In")
Out = TypeVar("Out")


class Call:
    """One logical call: one idempotency key and one deadline over all its attempts."""

    def __init__(
        self,
        settings: Settings,
        budget: RetryBudget,
        identity: str,
        path: str,
        options: CallOptions,
    ) -> None:
        self._settings = settings
        self._budget = budget
        self._path = path
        self._max_retries = check_max_retries(
            options.get("max_retries", settings.max_retries)
        )
        timeout = check_timeout(options.get("timeout", settings.timeout))
        self._deadline = None if timeout is None else time.monotonic() + timeout
        self._idempotency_key = options.get("idempotency_key") or os.urandom(16).hex()
        self._attempts = 0
        self._headers = httpx.Headers(settings.headers)
        self._headers.update(check_headers(options.get("headers", {})))
        self._headers.update(
            check_headers(
                {
                    "Accept": "application/json",
                    "Authorization": settings.api_key.authorization(),
                    "Content-Type": "application/json",
                    "Idempotency-Key": self._idempotency_key,
                    "User-Agent": identity,
                    "X-Svc-Client": identity,
                }
            )
        )

    def run(self, body: bytes) -> Generator[Step, Outcome, Answer]:
        """Take the call from its first attempt to its answer.

        Yields what to do next and is sent what came of it: the answer or the error of a
        :class:`Send`, nothing of a :class:`Pause`. Returns the answer of a success.

        Raises:
            SvcError: The last attempt's, when there is to be no further one.
        """
        url = self._settings.base_url + self._path
        while True:
            self._attempts += 1
            started = time.monotonic()
            outcome = yield Send(url, self._headers, body, self._deadline)
            error = self._judge(outcome, (time.monotonic() - started) * 1_000)
            if isinstance(error, Answer):
                self._budget.give_back()
                return error
            wait = self._wait_after(error)
            if wait is None:
                raise error
            self._settings.logger.info(
                "POST %s: attempt %d in %.2f s, after: %s",
                self._path,
                self._attempts + 1,
                wait,
                error,
            )
            yield Pause(wait)

    def respond(self, method: Method[In, Out], answer: Answer) -> RawResponse[Out]:
        """Give the answer of the call to its caller.

        Raises:
            InvalidAnswerError: The answer does not fit what the call returns.
        """
        return RawResponse(
            status=answer.status,
            headers=answer.headers,
            body=answer.body,
            value=method.parse(answer),
            execution_id=execution_id_of(answer),
            attempts=self._attempts,
            idempotency_key=self._idempotency_key,
        )

    def _judge(self, outcome: Outcome, took: float) -> Answer | SvcError:
        logger = self._settings.logger
        if isinstance(outcome, Answer):
            logger.debug("POST %s: %d in %.0f ms", self._path, outcome.status, took)
            if outcome.is_success:
                return outcome
            return error_of(outcome, self._settings.api_key, time.time())
        if outcome is None:
            raise RuntimeError("an attempt must have an outcome")
        logger.debug("POST %s: no answer in %.0f ms: %s", self._path, took, outcome)
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
