"""The synchronous client."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import httpx

from ._api_key import ApiKey, TokenProvider
from ._call_options import CallOptions
from ._calls import Calls
from ._execution import Execution
from ._flow import ANY_FLOW
from ._history import check_execution_id
from ._json_value import JsonValue
from ._live_calls import LiveCall
from ._method import read_arguments
from ._protojson import UNSET, Unset
from ._response import RawResponse
from ._retries import RetryBudget
from ._settings import (
    DEFAULT_MAX_RETRIES,
    DEFAULT_MAX_RETRY_DELAY,
    DEFAULT_RETRY_BUDGET,
    DEFAULT_RETRY_DELAY,
    read_settings,
)
from ._split_calls import create_stream
from ._stream_calls import StreamCall, stream_flow, stream_node, upload_to_node
from ._sync_driver import SyncDriver
from ._sync_inbox import SyncInbox
from ._sync_runs import SyncRuns
from ._sync_session import Session
from ._sync_split import SplitStream
from ._sync_stream import FrameStream, SyncFrames
from ._typing import Self
from .errors import (
    ConfigurationError,
    FlowFailedError,
    FlowPausedError,
    WaitTimedOutError,
)

if TYPE_CHECKING:
    from ._flow import Flow
    from ._method import Method

In = TypeVar("In")
Out = TypeVar("Out")


class SyncRawCalls:
    """Sends calls and returns complete responses with status, headers and body."""

    def __init__(self, drive: SyncDriver, calls: Calls) -> None:
        """Run the steps of ``calls`` with ``drive``."""
        self._drive = drive
        self._calls = calls

    def _send(
        self, method: Method[In, Out], message: In | Unset, given: Mapping[str, Any]
    ) -> RawResponse[Out]:
        sent, options = read_arguments(method.input, message, given)
        call = self._calls.open("POST", method.path, options)
        answer = self._drive(call.run(method.print(sent)))
        return call.respond(method.parse(answer), answer)

    def _run(
        self, flow: Flow[In, Out], message: In | Unset, given: Mapping[str, Any]
    ) -> RawResponse[Out]:
        sent, options = read_arguments(flow.input, message, given)
        try:
            return self._drive(self._calls.run(flow, sent, options))
        except (FlowFailedError, FlowPausedError, WaitTimedOutError) as error:
            if error.execution_id is not None:
                error.execution = self._execution(flow, error.execution_id)
            raise

    def _start(
        self, flow: Flow[In, Out], message: In | Unset, given: Mapping[str, Any]
    ) -> RawResponse[Execution[Out]]:
        sent, options = read_arguments(flow.input, message, given)
        started = self._drive(self._calls.start(flow, sent, options))
        return started.holding(self._execution(flow, started.value))

    def _stream(
        self, flow: Flow[In, Out], message: In | Unset, given: Mapping[str, Any]
    ) -> FrameStream[Out]:
        sent, options = read_arguments(flow.input, message, given)
        return self._frames(stream_flow(self._calls, flow, sent, options))

    def _stream_node(
        self, method: Method[In, Out], message: In | Unset, given: Mapping[str, Any]
    ) -> FrameStream[Out]:
        sent, options = read_arguments(method.input, message, given)
        return self._frames(stream_node(self._calls, method, sent, options))

    def _upload(
        self, method: Method[In, Out], messages: Iterable[In], options: CallOptions
    ) -> FrameStream[Out]:
        call = upload_to_node(self._calls, method, messages, options)
        return self._frames(call)

    def _frames(self, call: StreamCall[Out]) -> FrameStream[Out]:
        return FrameStream(SyncFrames(self._drive, call))

    def _open(self, method: Method[In, Out], options: CallOptions) -> Session[In, Out]:
        return Session(self._drive, LiveCall(self._calls, method, options))

    def _create_stream(
        self, method: Method[In, Out], options: CallOptions
    ) -> SplitStream[In, Out]:
        stream_id = self._drive(create_stream(self._calls, method, options))
        return self._split_stream(method, stream_id)

    def _split_stream(
        self, method: Method[In, Out], stream_id: str
    ) -> SplitStream[In, Out]:
        return SplitStream(self._drive, self._calls, method, stream_id)

    def _warm(self, flow: Flow[Any, Any], options: CallOptions) -> RawResponse[None]:
        return self._drive(self._calls.warm(flow, options))

    def _execution(self, flow: Flow[In, Out], execution_id: str) -> Execution[Out]:
        runs = SyncRuns(self._drive, self._calls, flow)
        return Execution(runs, check_execution_id(execution_id))


class SyncBaseClient(SyncRawCalls, SyncInbox):
    """Base of the synchronous client. Safe to share between threads."""

    _identity: ClassVar[str] = "svc"
    _base_url = ""

    def __init__(
        self,
        *,
        api_key: str | TokenProvider | None = None,
        base_url: str | None = None,
        timeout: float | Unset | None = UNSET,
        attempt_timeout: float | httpx.Timeout | None = None,
        max_retries: int = DEFAULT_MAX_RETRIES,
        retry_delay: float = DEFAULT_RETRY_DELAY,
        max_retry_delay: float = DEFAULT_MAX_RETRY_DELAY,
        retry_budget: int | None = DEFAULT_RETRY_BUDGET,
        headers: Mapping[str, str] | None = None,
        http2: bool = False,
        http_client: httpx.Client | None = None,
        logger: logging.Logger | None = None,
    ) -> None:
        """Create a client.

        Args:
            api_key: API key, or a function that returns one. The function is called
                before the first request, and again when the service rejects the key
                with a 401. Defaults to the ``SVC_API_KEY`` environment variable.
            base_url: URL of the service. Defaults to ``SVC_BASE_URL``.
            timeout: Timeout of a call in seconds, retries included; ``None`` for no
                limit. Defaults to 60, and for streams to 300.
            attempt_timeout: Timeout of each attempt in seconds, or an
                ``httpx.Timeout`` that limits its phases. An attempt that times out is
                retried. ``None`` applies only the ``timeout`` of the call.
            max_retries: Maximum number of retries after a transient failure.
            retry_delay: Maximum delay before the first retry, in seconds. It doubles
                with each retry.
            max_retry_delay: Maximum delay before any retry, in seconds.
            retry_budget: Capacity of the token bucket for retries, shared by all calls
                of the client. A retry takes one token. A call that succeeds after a
                retry returns one, and any other success returns a tenth of one.
                ``None`` for no limit.
            headers: Additional headers for every request. Headers that this package
                sets itself are rejected. A ``User-Agent`` is prepended to that of this
                package.
            http2: Whether to use HTTP/2. Requires the extra ``http2``. Streams,
                streamed input and WebSockets use HTTP/1.1. Each thread has its own
                connections.
            http_client: An ``httpx.Client`` to use, for example for proxies,
                certificates or tests. It stays open when this client is closed. By
                default, all clients of a process share their connections.
            logger: Logger for attempts and retries. Defaults to the package's logger.

        Raises:
            ConfigurationError: The API key, base URL or an option is missing or
                malformed.
        """
        if isinstance(http_client, httpx.AsyncClient):
            raise ConfigurationError(
                "Client takes an httpx.Client: pass this one to AsyncClient"
            )
        key = ApiKey(api_key)
        # Error reporters record local variables.
        del api_key
        settings = read_settings(
            api_key=key,
            base_url=base_url,
            timeout=timeout,
            attempt_timeout=attempt_timeout,
            max_retries=max_retries,
            retry_delay=retry_delay,
            max_retry_delay=max_retry_delay,
            retry_budget=retry_budget,
            headers=headers,
            logger=logger,
        )
        self._base_url = settings.base_url
        calls = Calls(settings, RetryBudget(settings.retry_budget), self._identity)
        super().__init__(SyncDriver(http_client, http2=http2), calls)

    def execution(self, execution_id: str, /) -> Execution[JsonValue]:
        """Return a handle to a run of any flow, without sending a request.

        The output of the run is JSON. For typed output, use the method that is named
        after the flow.

        Raises:
            MessageError: The id is malformed.
        """
        return self._execution(ANY_FLOW, execution_id)

    def close(self) -> None:
        """Close the client.

        Its streams, sessions, runs and calls then raise ``ConfigurationError``,
        including those that other threads are waiting for. Blocked threads return
        immediately, with two exceptions: a request whose response has not begun and a
        stream of an ``http_client`` over HTTP/2 end when data arrives or a timeout
        expires. An ``http_client`` stays open, as do connections that other clients
        share.
        """
        self._drive.close()

    def __enter__(self) -> Self:
        """Enter the context; leaving it closes the client."""
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
        """Show the base URL, never the API key."""
        return f"{type(self).__name__}(base_url={self._base_url!r})"


# Argument errors name the public class.
SyncBaseClient.__init__.__qualname__ = "Client.__init__"
SyncBaseClient.execution.__qualname__ = "Client.execution"
SyncBaseClient.pauses.__qualname__ = "Client.pauses"
SyncBaseClient.close.__qualname__ = "Client.close"
