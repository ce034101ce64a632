"""Runs the steps of calls in asyncio or trio."""

from __future__ import annotations

from contextlib import AsyncExitStack, aclosing, contextmanager, suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

import httpx

from ._answers import MISMATCH, Answer
from ._async_socket import AsyncSocket
from ._attempt import (
    LARGEST_REST,
    LAST_LOOK,
    Closing,
    Guard,
    Pause,
    Send,
    client_closed,
    is_event_stream,
    is_past,
    is_refusal_cut_off,
    opens_socket,
    timed_out,
)
from ._transports import (
    Use,
    is_inherited,
    join_async_pool,
    leave_async_pools,
    replace_closed_loops,
    use_of,
)
from .errors import SvcError

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import (
        AsyncGenerator,
        AsyncIterator,
        Callable,
        Generator,
        Iterator,
    )
    from contextlib import AbstractContextManager

    from anyio import CancelScope
    from anyio.lowlevel import RunVar

    from ._attempt import Lines, Outcome, Step
    from ._transports import Key, Pools

T = TypeVar("T")


class AsyncDriver:
    """Runs the steps of a call: sends requests, pauses and returns outcomes.

    Attributes:
        closing: State of the client, shared with its requests in flight.
    """

    def __init__(self, http: httpx.AsyncClient | None, *, http2: bool) -> None:
        """Send through ``http``, or through the connections of the event loop."""
        self._http = http
        self._usual = Use.HTTP2 if http2 else Use.HTTP1
        self.closing: Closing = Closing()
        self._keys: dict[Use, Key] = {}
        self._waiting: dict[CancelScope, AbstractEventLoop | None] = {}

    async def __call__(self, steps: Generator[Step, Outcome, T]) -> T:
        """Run the steps and return their result."""
        # Imported lazily: the import is slow, and the HTTP library defers it as well.
        import anyio

        outcome: Outcome = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                value: T = end.value
                return value
            if isinstance(step, Pause):
                # A closed client fails at its next request.
                with anyio.CancelScope() as scope, self.watch(scope):
                    await anyio.sleep(step.seconds)
                outcome = None
                continue
            limit = float("inf") if (left := step.time_left()) is None else left
            limit += 0 if step.lines is None else LAST_LOOK
            outcome = None
            with anyio.move_on_after(limit) as scope, self.watch(scope):
                outcome = await self._attempt(step)
            if outcome is None:
                closed = client_closed() if self.closing.is_closed else None
                outcome = closed or step.timed_out()

    async def aclose(self) -> None:
        """Cancel pending calls. Close connections that no other client uses."""
        self.closing.is_closed = True
        here = _running_loop()
        for scope, loop in list(self._waiting.items()):
            if loop is here:
                scope.cancel()
        if self._http is None:
            await leave_async_pools(_pools(), self)

    @contextmanager
    def watch(self, scope: CancelScope) -> Iterator[None]:
        """Cancel ``scope`` when the client is closed."""
        self._waiting[scope] = _running_loop()
        try:
            yield
        finally:
            del self._waiting[scope]

    def _client(self, use: Use | None = None) -> httpx.AsyncClient:
        self.closing.check_open()
        if self._http is not None:
            return self._http
        use = use or self._usual
        pools = _pools()
        # Reading proxy settings from the environment takes a fifth of a fast call.
        key = self._keys.get(use)
        pool = None if key is None or is_inherited(key) else pools.get(key)
        if pool is None or not pool.has(self):
            self._keys[use], pool = join_async_pool(pools, self, use)
        return pool.http

    async def _attempt(self, send: Send) -> Outcome:
        guard = Guard(send)
        lines = None if send.lines is None else _lines_of(send.lines, send)
        with guard:
            await send.api_key.aload()
            http = self._client(use_of(send))
            send.closing = self.closing
            async with AsyncExitStack() as stack:
                sent = http.stream(**send.request(lines))
                response = await stack.enter_async_context(sent)
                guard.answering = True
                send.head = response
                status, headers = response.status_code, response.headers
                if opens_socket(response, send):
                    socket = AsyncSocket(response, send, stack.pop_all(), self.watch)
                    return Answer(status, headers, b"", send.api_key, stream=socket)
                if send.streams and is_event_stream(response):
                    if MISMATCH in headers:
                        return Answer(status, headers, b"", send.api_key)
                    stream = AsyncBody(response, send, stack.pop_all(), self.watch)
                    return Answer(status, headers, b"", send.api_key, stream=stream)
                body = await _read_body(response)
                return Answer(status, headers, body, send.api_key)
        return guard.result()


class AsyncBody:
    """The body of a response, read as it arrives."""

    def __init__(
        self,
        response: httpx.Response,
        send: Send,
        stack: AsyncExitStack,
        watch: Callable[[CancelScope], AbstractContextManager[None]],
    ) -> None:
        """Read ``response``, which ``stack`` closes.

        ``watch`` cancels a scope when the client is closed.
        """
        self._watch = watch
        self._response = response
        self._send = send
        self._stack = stack

    async def read(self, deadline: float | None) -> AsyncGenerator[bytes, None]:
        """Yield the bytes.

        Raises:
            SvcError: The connection was lost, the client was closed, or the deadline
                passed.
        """
        import anyio

        send = self._send
        send.begin_stream(deadline)
        # An async generator at run time, although it is typed as an iterator.
        chunks: Any = self._response.aiter_bytes()
        async with aclosing(chunks):
            while True:
                guard = Guard(send)
                guard.answering = True
                chunk: bytes | None = None
                failure: SvcError | None = timed_out()
                limit = float("inf") if (left := send.time_left()) is None else left
                with anyio.move_on_after(limit) as scope, self._watch(scope):
                    with guard:
                        chunk = await anext(chunks, None)
                    failure = guard.result()
                send.check_open()
                if failure is not None:
                    raise failure
                if chunk is None:
                    return
                yield chunk

    async def afinish(self, chunks: AsyncIterator[bytes]) -> None:
        """Drain the body, so that the connection can be reused.

        If the body does not end soon, the connection is closed with it.
        """
        self._send.begin_rest()
        size = 0
        with suppress(SvcError):
            async for chunk in chunks:
                size += len(chunk)
                if size > LARGEST_REST:
                    return

    async def aclose(self) -> None:
        """Close the connection, even if the task was cancelled."""
        import anyio

        with anyio.CancelScope(shield=True):
            await self._stack.aclose()


async def _lines_of(lines: Lines, send: Send) -> AsyncIterator[bytes]:
    """Yield the lines until the deadline."""
    import anyio

    source = lines.async_lines()
    while True:
        line: bytes | None = None
        limit = float("inf") if (left := send.time_left()) is None else left
        with anyio.move_on_after(limit) as scope:
            line = await anext(source, None)
        # A cancelled source is indistinguishable from an exhausted one.
        if scope.cancel_called or is_past(send.deadline):
            raise send.stop_input()
        if line is None:
            return
        yield line


async def _read_body(response: httpx.Response) -> bytes:
    body = bytearray()
    try:
        async for chunk in response.aiter_bytes():
            body += chunk
    except httpx.RequestError as error:
        if not is_refusal_cut_off(response, error):
            raise
    return bytes(body)


def _pools() -> Pools[httpx.AsyncClient]:
    """Return the pools of the running event loop."""
    variable = _variable()
    pools = variable.get(None)
    if pools is None:
        pools = {}
        variable.set(pools)
        loop = _running_loop()
        if loop is not None:
            replace_closed_loops(loop, pools)
    return pools


def _running_loop() -> AbstractEventLoop | None:
    """Return the running asyncio event loop, or ``None`` under trio."""
    # Imported lazily because the import is slow.
    import asyncio

    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


@lru_cache(maxsize=1)
def _variable() -> RunVar[Pools[httpx.AsyncClient]]:
    from anyio.lowlevel import RunVar

    return RunVar(__name__)
