"""The asyncio client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import httpx

from ._async_driver import AsyncDriver
from ._async_runs import AsyncRuns
from ._calls import Calls
from ._execution import AsyncExecution
from ._history import check_execution_id
from ._retries import RetryBudget
from ._settings import (
    DEFAULT_MAX_RETRIES,
    DEFAULT_MAX_RETRY_DELAY,
    DEFAULT_RETRY_DELAY,
    DEFAULT_TIMEOUT,
    read_settings,
)
from .errors import FlowPausedError, WaitTimedOutError

if TYPE_CHECKING:
    import logging
    from collections.abc import Mapping
    from types import TracebackType

    from typing_extensions import Self

    from ._call_options import CallOptions
    from ._flow import Flow
    from ._method import Method
    from ._response import RawResponse
In = TypeVar("In")
Out = TypeVar("Out")


class AsyncRawCalls:
    """Sends calls and returns complete responses."""

    def __init__(self, drive: AsyncDriver, calls: Calls) -> None:
        """Run the steps of ``calls`` with ``drive``."""
        self._drive = drive
        self._calls = calls

    async def _send(
        self, method: Method[In, Out], message: In, options: CallOptions
    ) -> RawResponse[Out]:
        call = self._calls.open("POST", method.path, options)
        answer = await self._drive(call.run(method.print(message)))
        return call.respond(method.parse(answer), answer)

    async def _run(
        self, flow: Flow[In, Out], message: In, options: CallOptions
    ) -> RawResponse[Out]:
        try:
            return await self._drive(self._calls.run(flow, message, options))
        except (FlowPausedError, WaitTimedOutError) as error:
            if error.execution_id is not None:
                error.execution = self._execution(flow, error.execution_id)
            raise

    async def _start(
        self, flow: Flow[In, Out], message: In, options: CallOptions
    ) -> RawResponse[AsyncExecution[Out]]:
        started = await self._drive(self._calls.start(flow, message, options))
        return started.holding(self._execution(flow, started.value))

    async def _warm(
        self, flow: Flow[Any, Any], options: CallOptions
    ) -> RawResponse[None]:
        return await self._drive(self._calls.warm(flow, options))

    def _execution(self, flow: Flow[In, Out], execution_id: str) -> AsyncExecution[Out]:
        runs = AsyncRuns(self._drive, self._calls, flow)
        return AsyncExecution(runs, check_execution_id(execution_id))


class AsyncBaseClient(AsyncRawCalls):
    """Base of the asyncio client. Cancelling a task cancels its call."""

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
        http_client: httpx.AsyncClient | None = None,
        logger: logging.Logger | None = None,
    ) -> None:
        """Create a client.

        Args:
            api_key: API key. Defaults to the ``SVC_API_KEY`` environment variable.
            base_url: URL of the service. Defaults to ``SVC_BASE_URL``.
            timeout: Timeout of a call in seconds, retries included; ``None`` for no
                limit.
            max_retries: Maximum number of retries after a transient failure.
            retry_delay: Maximum delay before the first retry, in seconds. It doubles
                with each retry.
            max_retry_delay: Maximum delay before any retry, in seconds.
            headers: Additional headers for every request.
            http_client: An ``httpx.AsyncClient`` to use, for example for proxies,
                certificates or tests. Closing this client does not close it.
            logger: Logger for attempts and retries. Defaults to the package's logger.

        Raises:
            ConfigurationError: The API key or base URL is missing or malformed.
        """
        settings = read_settings(
            api_key=api_key,
            base_url=base_url,
            timeout=timeout,
            max_retries=max_retries,
            retry_delay=retry_delay,
            max_retry_delay=max_retry_delay,
            headers=headers,
            logger=logger,
        )
        self._base_url = settings.base_url
        self._owns_http = http_client is None
        self._http = httpx.AsyncClient() if http_client is None else http_client
        calls = Calls(settings, RetryBudget(), self._identity)
        super().__init__(AsyncDriver(self._http), calls)

    async def aclose(self) -> None:
        """Close the connections. A client passed as ``http_client`` stays open."""
        if self._owns_http:
            await self._http.aclose()

    async def __aenter__(self) -> Self:
        """Enter the context; leaving it closes the client."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Close the client."""
        await self.aclose()

    def __repr__(self) -> str:
        """Show the base URL, never the API key."""
        return f"{type(self).__name__}(base_url={self._base_url!r})"
