"""The logic of a call without I/O: when to send, pause, retry and give up.

The synchronous and the asyncio client run the same generators.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

import httpx

from ._answers import (
    Answer,
    error_of,
    execution_id_in_header,
    extend_message,
    mismatch_of,
    name_run,
    request_id_in,
)
from ._attempt import Lines, Outcome, Pause, Send, Step
from ._call_options import CallOptions
from ._request_headers import stream_headers
from ._response import RawResponse
from ._retries import SPREADING_RETRY_AFTER, RetryBudget, may_pass, wait_before
from ._settings import (
    Settings,
    check_attempt_timeout,
    check_max_retries,
    check_timeout,
)
from .errors import (
    ConfigurationError,
    RateLimitedError,
    SvcError,
    TimedOutError,
    UnauthorizedError,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

    from ._api_key import ApiKey
    from ._request_headers import RequestHeaders
    from ._socket_messages import Upgrade

T = TypeVar("T")

Body: TypeAlias = "bytes | Callable[[float | None, bool], bytes] | None"
"""The body, or ``None`` for no body, or a function that returns it. The function takes
the seconds left, and whether an attempt has failed with anything but a 401 or a 429."""

OPTIONS: Final = frozenset(CallOptions.__annotations__)
"""Names of the call options."""

_LEAST_RECONNECTS: Final = 8
"""Minimum number of consecutive reconnects of a call that must survive an outage."""

_KEY_LASTS: Final = 240.0
"""Seconds after the start of the first failed attempt in which a request that starts a
run may be retried. Idempotency keys expire after five minutes; a later retry would
start a second run."""


class Call:
    """A call, whose attempts share an idempotency key and a deadline.

    Attributes:
        idempotency_key: The key sent with every attempt.
    """

    def __init__(
        self,
        settings: Settings,
        budget: RetryBudget,
        headers: RequestHeaders,
        path: str,
        options: CallOptions,
        *,
        http_method: str,
        starts_run: bool,
        about: str | None = None,
    ) -> None:
        check_names(options)
        self._settings = settings
        self._budget = budget
        self._http_method = http_method
        self._starts_run = starts_run
        self._about = about
        self._path = path
        self._max_retries = check_max_retries(
            options.get("max_retries", settings.max_retries)
        )
        timeout = check_timeout(options.get("timeout", settings.timeout))
        self._deadline = None if timeout is None else time.monotonic() + timeout
        limit = check_attempt_timeout(
            options.get("attempt_timeout", settings.attempt_timeout)
        )
        self._phases = limit if isinstance(limit, httpx.Timeout) else None
        self._attempt_timeout = None if isinstance(limit, httpx.Timeout) else limit
        self.idempotency_key: str = _idempotency_key_of(options)
        self._headers = headers
        self._given_headers = options.get("headers")
        self._attempts = 0
        self._retries = 0
        self._has_drawn = False
        self._outlasts = False
        # Start of the first attempt that failed with anything but a 401 or a 429.
        self._failed_at: float | None = None

    def run(
        self,
        body: Body = None,
        *,
        streams: bool = False,
        lines: Lines | None = None,
        upgrade: Upgrade | None = None,
        after: str = "",
    ) -> Generator[Step, Outcome, Answer]:
        """Run the call until it succeeds or fails.

        Yields steps and receives their outcomes: the response or error of a
        :class:`Send`, ``None`` for a :class:`Pause`. Returns the successful response.
        A ``body`` function is called for each attempt. With ``streams``, an event
        stream is returned as soon as its head has arrived. ``lines`` replaces the body,
        and ``upgrade`` requests a WebSocket. ``after`` is the id of the last message of
        an interrupted event stream.

        Raises:
            SvcError: The error of the last attempt.
        """
        url = self._settings.base_url + self._path
        headers = self._headers.of(
            self.idempotency_key, self._given_headers, has_body=body is not None
        )
        if streams or lines is not None:
            headers = stream_headers(headers, accepts=streams, sends=lines is not None)
        if after:
            headers = [*headers, (b"Last-Event-ID", after.encode())]
        if upgrade is not None:
            headers = [*headers, *upgrade.headers()]
        api_key = self._settings.api_key
        is_repeatable = lines is None
        while True:
            self._attempts += 1
            started = time.monotonic()
            deadline = self.attempt_deadline(started)
            left, has_failed = self._seconds_left(deadline), self._failed_at is not None
            sent = body(left, has_failed) if callable(body) else body
            generation = api_key.generation
            send = Send(
                self._http_method,
                url,
                headers,
                sent,
                api_key,
                deadline,
                self._phases,
                streams,
                lines,
                upgrade,
                is_limited=deadline != self._deadline,
            )
            outcome = yield send
            took = (time.monotonic() - started) * 1_000
            error = self._judge(outcome, send, took)
            if isinstance(error, Answer):
                self._failed_at = None
                if upgrade is None:
                    self.succeed()
                return error
            is_refused = isinstance(error, (RateLimitedError, UnauthorizedError))
            if self._failed_at is None and not is_refused:
                self._failed_at = started
            if isinstance(error, UnauthorizedError):
                has_other = api_key.forget(generation)
                if has_other and is_repeatable and not self._is_over(0):
                    is_repeatable = False
                    continue
            yield from self._pause_after(error, deadline)

    def succeed(self) -> None:
        """Return tokens to the budget. For a WebSocket, called when it is ready."""
        self._budget.give_back(is_retry=self._has_drawn)
        self._has_drawn = False

    def outlast(self) -> None:
        """Allow more consecutive failures, and do not charge them to the retry budget.

        The call then survives an outage of about twenty seconds. It has no effect if
        retries are disabled.
        """
        self._max_retries = self._max_retries and max(
            self._max_retries, _LEAST_RECONNECTS
        )
        self._outlasts = True

    def repeat(
        self,
        error: SvcError,
        *,
        is_first: bool,
        is_counted: bool = True,
        passes: bool = False,
    ) -> Generator[Step, Outcome, None]:
        """Pause before a reconnect after a connection that was open.

        With ``is_first``, earlier failures are forgotten. Without ``is_counted``, the
        failed attempt was not made by :meth:`run` and is counted here. With ``passes``,
        any error is treated as transient, and its ``retry_after``, which does not come
        from the service, is ignored.

        Raises:
            SvcError: ``error``, because the retries are exhausted.
        """
        if is_first:
            self._attempts, self._retries = 1, 0
        elif not is_counted:
            self._attempts += 1
        error.attempts = self._attempts
        error.idempotency_key = self.idempotency_key
        yield from self._pause_after(error, self._deadline, passes=passes)

    def respond(
        self, value: T, answer: Answer, execution_id: str | None = None
    ) -> RawResponse[T]:
        """Return the response of the call with its decoded ``value``."""
        return RawResponse(
            status=answer.status,
            headers=answer.headers,
            body=answer.body,
            value=value,
            execution_id=execution_id_in_header(answer) or execution_id,
            attempts=self._attempts,
            idempotency_key=self.idempotency_key,
            request_id=answer.request_id,
        )

    def _pause_after(
        self,
        error: SvcError,
        deadline: float | None,
        *,
        passes: bool = False,
    ) -> Generator[Step, Outcome, None]:
        retry_after = None if passes else error.retry_after
        passes = passes or may_pass(error) or self._hung(error, deadline)
        wait = self._wait_after(error, retry_after) if passes else None
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

    def attempt_deadline(self, now: float) -> float | None:
        """Return the deadline of an attempt that starts at ``now``."""
        if self._attempt_timeout is None:
            return self._deadline
        own = now + self._attempt_timeout
        return own if self._deadline is None else min(own, self._deadline)

    def _seconds_left(self, deadline: float | None) -> float | None:
        read = None if self._phases is None else self._phases.read
        left = None if deadline is None else deadline - time.monotonic()
        return read if left is None else left if read is None else min(left, read)

    def _judge(self, outcome: Outcome, send: Send, took: float) -> Answer | SvcError:
        logger = self._settings.logger
        method, path = self._http_method, self._path
        if outcome is None:
            raise RuntimeError("the outcome of an attempt is missing")
        if isinstance(outcome, Answer):
            outcome.attempts = self._attempts
            outcome.idempotency_key = self.idempotency_key
            outcome.about = self._about
            execution_id = execution_id_in_header(outcome)
            run = f" (execution {execution_id})" if execution_id else ""
            logger.debug(
                "%s %s: %d in %.0f ms%s", method, path, outcome.status, took, run
            )
            if outcome.is_success:
                return mismatch_of(outcome) or outcome
            return error_of(outcome, time.time())
        if send.head is not None:
            _add_head(outcome, send.head, send.api_key)
        # A ConfigurationError, for example of the API key, means that nothing was sent.
        is_unsent = isinstance(outcome, ConfigurationError) and not send.is_cut_off
        outcome.attempts = self._attempts - is_unsent
        if outcome.attempts > 0:
            outcome.idempotency_key = self.idempotency_key
        logger.debug(
            "%s %s: no response after %.0f ms: %s", method, path, took, outcome
        )
        return outcome

    def _wait_after(self, error: SvcError, retry_after: float | None) -> float | None:
        """Return the delay before the next attempt, or ``None`` to give up."""
        # A 429 with a Retry-After of a second or more is load shedding, not a failure,
        # so it does not count as a retry.
        is_told = (
            isinstance(error, RateLimitedError)
            and retry_after is not None
            and retry_after >= SPREADING_RETRY_AFTER
        )
        has_retries = self._retries < self._max_retries or (
            is_told and self._max_retries > 0
        )
        if not has_retries:
            return None
        wait = wait_before(
            self._attempts,
            retry_after=retry_after,
            first=self._settings.retry_delay,
            longest=self._settings.max_retry_delay,
        )
        if wait is None or self._is_over(wait):
            return None
        if is_told:
            return wait
        self._retries += 1
        if self._outlasts:
            return wait
        if self._budget.take():
            self._has_drawn = True
            return wait
        extend_message(error, "; not tried again: the retry budget is empty")
        self._settings.logger.warning(
            "%s %s: %s",
            self._http_method,
            self._path,
            error,
        )
        return None

    def _is_over(self, wait: float) -> bool:
        """Whether a retry after ``wait`` seconds would start too late."""
        begins = time.monotonic() + wait
        if (
            self._starts_run
            and self._failed_at is not None
            and begins > self._failed_at + _KEY_LASTS
        ):
            return True
        return self._deadline is not None and begins >= self._deadline

    def _hung(self, error: SvcError, deadline: float | None) -> bool:
        """Whether the attempt timed out, but not the call."""
        is_limited = self._phases is not None or deadline != self._deadline
        return is_limited and isinstance(error, TimedOutError)


def _add_head(error: SvcError, head: httpx.Response, api_key: ApiKey) -> None:
    """Add the details of a truncated response to an error."""
    error.status = head.status_code
    error.headers = headers = api_key.redact_headers(head.headers)
    name_run(error, headers.get("x-execution-id"))
    error.request_id = request_id_in(head.headers)
    if error.request_id:
        extend_message(error, f" (request {error.request_id})")


def check_names(names: Iterable[str]) -> None:
    """Reject unknown options, as Python rejects unknown keyword arguments.

    Raises:
        TypeError: An option does not exist.
    """
    for name in names:
        if name not in OPTIONS:
            raise TypeError(f"got an unexpected keyword argument {name!r}")


def _idempotency_key_of(options: CallOptions) -> str:
    key = options.get("idempotency_key")
    if key is None:
        return os.urandom(16).hex()
    if not isinstance(key, str):
        raise ConfigurationError("the idempotency key must be a str")
    if not key or " " in key or not key.isascii() or not key.isprintable():
        raise ConfigurationError(
            "the idempotency key must contain only visible ASCII characters"
        )
    return key
