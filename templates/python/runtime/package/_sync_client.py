"""The client that blocks."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeVar

import httpx

from ._answers import Answer
from ._attempt import Pause, Send, failure_of
from ._call import Call
from ._retries import RetryBudget
from ._settings import (
    DEFAULT_MAX_RETRIES,
    DEFAULT_MAX_RETRY_DELAY,
    DEFAULT_RETRY_DELAY,
    DEFAULT_TIMEOUT,
    CallOptions,
    read_settings,
)

if TYPE_CHECKING:
    import logging
    from collections.abc import Mapping
    from types import TracebackType

    from typing_extensions import Self

    from ._attempt import Outcome
    from ._method import Method
    from ._response import RawResponse
    from .errors import SvcError

In = TypeVar("In")
Out = TypeVar("Out")


class SyncSender(Protocol):
    """Sends one call."""

    def __call__(
        self, method: Method[In, Out], message: In, options: CallOptions
    ) -> RawResponse[Out]:
        """Give the whole answer of a success."""
        ...


class SyncRawCalls:
    """Base of the calls that give the whole answer."""

    def __init__(self, send: SyncSender) -> None:
        """Send through a client."""
        self._send = send


class SyncBaseClient:
    """Sends calls and waits for their answers. Safe to share between threads."""

    _identity: ClassVar[str] = "svc"

    def __init__(
        self,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        timeout: float | None = DEFAULT_TIMEOUT,
        max_retries: int = DEFAULT_MAX_RETRIES,
        retry_delay: float = DEFAULT_RETRY_DELAY,
        max_retry_delay: float = DEFAULT_MAX_RETRY_DELAY,
        headers: Mapping[str, str] | None = None,
        http_client: httpx.Client | None = None,
        logger: logging.Logger | None = None,
    ) -> None:
        """Make a client.

        Args:
            api_key: Key of the tenant; ``SVC_API_KEY`` of the environment when absent.
            base_url: Address of the service; ``SVC_BASE_URL`` when absent.
            timeout: Seconds for a call, retries and waits included; ``None``: no limit.
            max_retries: How often to try again after a failure that may pass.
            retry_delay: Upper bound in seconds of the wait before the first retry; it
                doubles with each retry.
            max_retry_delay: Upper bound in seconds of every wait between retries.
            headers: Further headers of every request.
            http_client: An ``httpx.Client`` of your own, for proxies, certificates or
                tests; it stays open when this client closes.
            logger: Where to log attempts and retries, instead of the package's logger.

        Raises:
            ConfigurationError: The key or the base URL is missing or malformed.
        """
        self._settings = read_settings(
            api_key=api_key,
            base_url=base_url,
            timeout=timeout,
            max_retries=max_retries,
            retry_delay=retry_delay,
            max_retry_delay=max_retry_delay,
            headers=headers,
            logger=logger,
        )
        self._budget = RetryBudget()
        self._owns_http = http_client is None
        self._http = httpx.Client() if http_client is None else http_client

    def close(self) -> None:
        """Close the connections, unless ``http_client`` was given."""
        if self._owns_http:
            self._http.close()

    def __enter__(self) -> Self:
        """Use the client until the end of the block."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the client."""
        self.close()

    def __repr__(self) -> str:
        """Show where the client calls, never with what key."""
        return f"{type(self).__name__}(base_url={self._settings.base_url!r})"

    def _send(
        self, method: Method[In, Out], message: In, options: CallOptions
    ) -> RawResponse[Out]:
        call = Call(self._settings, self._budget, self._identity, method.path, options)
        steps = call.run(method.print(message))
        outcome: Outcome = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                return call.respond(method, end.value)
            if isinstance(step, Pause):
                time.sleep(step.seconds)
                outcome = None
            else:
                outcome = self._attempt(step)

    def _attempt(self, send: Send) -> Answer | SvcError:
        answering = False
        try:
            with self._http.stream(
                "POST",
                send.url,
                content=send.body,
                headers=send.headers,
                timeout=send.time_left(),
                follow_redirects=False,
            ) as response:
                answering = True
                body = bytearray()
                for chunk in response.iter_bytes():
                    send.check_deadline()
                    body += chunk
                return Answer(response.status_code, response.headers, bytes(body))
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            return failure_of(error, answering=answering)
