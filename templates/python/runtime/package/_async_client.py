"""The client for asyncio."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import httpx

from ._async_driver import AsyncDriver
from ._calls import Calls
from ._execution import AsyncExecution
from ._retries import RetryBudget
from ._settings import (
    DEFAULT_MAX_RETRIES,
    DEFAULT_MAX_RETRY_DELAY,
    DEFAULT_RETRY_DELAY,
    DEFAULT_TIMEOUT,
    CallOptions,
    read_settings,
)
from .errors import FlowPausedError, WaitTimedOutError

if TYPE_CHECKING:
    import logging
    from collections.abc import Mapping
    from types import TracebackType

    from typing_extensions import Self

    from ._execution import AsyncDrive
    from ._flow import Flow
    from ._method import Method
    from ._response import RawResponse
In = TypeVar("In")
Out = TypeVar("Out")


class AsyncRawCalls:
    """Makes calls, each with its whole answer."""

    def __init__(self, drive: AsyncDrive, calls: Calls) -> None:
        """Take the courses of ``calls`` to their ends by ``drive``."""
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
        return AsyncExecution(self._drive, self._calls, flow, execution_id)


class AsyncBaseClient(AsyncRawCalls):
    """Sends calls and awaits their answers. Cancelling a task cancels its call."""

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
            http_client: An ``httpx.AsyncClient`` of your own, for proxies, certificates or
                tests; it stays open when this client closes.
            logger: Where to log attempts and retries, instead of the package's logger.

        Raises:
            ConfigurationError: The key or the base URL is missing or malformed.
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
        """Close the connections, unless ``http_client`` was given."""
        if self._owns_http:
            await self._http.aclose()

    async def __aenter__(self) -> Self:
        """Use the client until the end of the block."""
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
        """Show where the client calls, never with what key."""
        return f"{type(self).__name__}(base_url={self._base_url!r})"
