"""Tests of streams against a scripted server."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import importlib
import json
import logging
import socket
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from queue import Queue
from threading import Event
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from scripted_server import Scripted, ScriptedServer
from sdk import FLOW, STREAMS, AsyncClient, Client, Sample, errors
from side_by_side import side_by_side

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

KEY = "0123456789abcdef" * 4
RUN = "d" * 32

pytestmark = pytest.mark.skipif(not STREAMS, reason="the client has no streams")


def events(*frames: dict[str, Any]) -> Scripted:
    """Respond with an event stream of frames."""
    texts = [
        f"data: {json.dumps({'execution_id': RUN, 'frame_index': index, **frame})}\n\n"
        for index, frame in enumerate(frames)
    ]
    head = {"Content-Type": "text/event-stream"}
    return Scripted(body="".join(texts).encode(), headers=head)


def payload(sample: Sample) -> dict[str, Any]:
    """Return a frame with the output of a member."""
    return {"payload": sample.output, "is_final": False}


def last(**fields: Any) -> dict[str, Any]:
    """Return the last frame of a stream that succeeded."""
    return {"is_final": True, "success": True, **fields}


@dataclass(frozen=True, kw_only=True)
class Way:
    """Calls through the synchronous or the asyncio client."""

    is_async: bool

    def take(
        self,
        server: ScriptedServer,
        method: str,
        argument: Any,
        count: int = 100,
        **options: Any,
    ) -> tuple[list[Any], Any]:
        """Read up to ``count`` messages. Return them with the stream."""
        settings: Any = {"api_key": KEY, "base_url": server.url, "retry_delay": 0.001}
        if self.is_async:
            return asyncio.run(
                self._take_async(settings, method, argument, count, options)
            )
        given: list[Any] = []
        with Client(**settings) as client:
            stream = getattr(client, method)(argument, **options)
            with stream:
                for answer in stream:
                    given.append(answer)
                    if len(given) == count:
                        break
        return given, stream

    def take_often(self, server: ScriptedServer, sample: Sample, count: int) -> None:
        """Read ``count`` streams in sequence with one client."""
        settings: Any = {"api_key": KEY, "base_url": server.url}
        if self.is_async:
            asyncio.run(self._take_often(settings, sample, count))
            return
        with Client(**settings) as client:
            for _ in range(count):
                stream = getattr(client, str(sample.name))(sample.input)
                with contextlib.suppress(errors.SvcError), stream:
                    assert list(stream) == [sample.answer]

    async def _take_often(self, settings: Any, sample: Sample, count: int) -> None:
        async with AsyncClient(**settings) as client:
            for _ in range(count):
                stream = getattr(client, str(sample.name))(sample.input)
                with contextlib.suppress(errors.SvcError):
                    async with stream:
                        assert [answer async for answer in stream] == [sample.answer]

    def upload_again(
        self, server: ScriptedServer, method: str, refusals: int, settings: Any
    ) -> None:
        """Send empty uploads until the service accepts the key."""
        asyncio.run(self._upload_again(server, method, refusals, settings))

    async def _upload_again(
        self, server: ScriptedServer, method: str, refusals: int, settings: Any
    ) -> None:
        kind: Any = AsyncClient if self.is_async else Client
        client = kind(base_url=server.url, **settings)
        for number in range(refusals + 1):
            stream = getattr(client, method)([])
            try:
                if self.is_async:
                    await anext(stream, None)
                else:
                    next(stream, None)
            except errors.UnauthorizedError:
                assert number < refusals

    async def _take_async(
        self, settings: Any, method: str, argument: Any, count: int, options: Any
    ) -> tuple[list[Any], Any]:
        given: list[Any] = []
        async with AsyncClient(**settings) as client:
            stream = getattr(client, method)(argument, **options)
            async with stream:
                async for answer in stream:
                    given.append(answer)
                    if len(given) == count:
                        break
        return given, stream


WAYS = [Way(is_async=False), Way(is_async=True)]


@pytest.fixture(params=WAYS, ids=["sync", "async"])
def way(request: pytest.FixtureRequest) -> Way:
    """Call through either client."""
    chosen: Way = request.param
    return chosen


@pytest.mark.parametrize("sample", STREAMS, ids=lambda sample: str(sample.name))
def test_every_member_streams(way: Way, sample: Sample) -> None:
    answer = events(payload(sample), payload(sample), last())
    with ScriptedServer(answer) as server:
        given, stream = way.take(server, sample.name, sample.input)
    request = server.requests[0]
    assert request.path == sample.path
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["accept"] == "text/event-stream, application/json"
    assert request.headers["content-type"] == "application/json"
    assert given == [sample.answer, sample.answer]
    assert stream.execution_id == RUN
    assert repr(stream) == f"{type(stream).__name__}(execution_id='{RUN}')"


@pytest.mark.parametrize("sample", STREAMS, ids=lambda sample: str(sample.name))
def test_every_node_takes_streamed_input(way: Way, sample: Sample) -> None:
    if sample.upload is None:
        pytest.skip("flows take one message")
    with ScriptedServer(events(payload(sample), last(input_frames=2))) as server:
        given, _ = way.take(server, sample.upload, [sample.input, sample.input])
    request = server.requests[0]
    assert given == [sample.answer]
    assert request.headers["content-type"] == "application/x-ndjson"
    assert request.headers["transfer-encoding"] == "chunked"
    assert request.body.count(b"\n") == 2


def test_no_request_is_sent_before_the_first_read() -> None:
    sample = STREAMS[0]
    with (
        ScriptedServer(events(last())) as server,
        Client(api_key=KEY, base_url=server.url) as client,
    ):
        stream = getattr(client, sample.name)(sample.input)
        stream.close()
        assert next(stream, None) is None
        with pytest.raises(errors.ConfigurationError, match="is closed"):
            list(stream)
        assert stream.execution_id is None
    assert server.requests == []


@pytest.mark.parametrize("fails", [False, True], ids=["complete", "failed"])
def test_a_stream_can_be_read_once(*, fails: bool) -> None:
    sample = STREAMS[0]
    answer = events(payload(sample), *([] if fails else [last()]))
    with (
        ScriptedServer(answer) as server,
        Client(api_key=KEY, base_url=server.url) as client,
        getattr(client, sample.name)(sample.input) as stream,
        contextlib.suppress(errors.StreamInterruptedError),
    ):
        list(stream)
    assert next(stream, None) is None
    with pytest.raises(errors.ConfigurationError, match="can be read once"):
        list(stream)
    assert len(server.requests) == 1


def test_an_async_stream_can_be_read_once() -> None:
    async def read_twice(url: str) -> None:
        async with (
            AsyncClient(api_key=KEY, base_url=url) as client,
            getattr(client, str(STREAMS[0].name))(STREAMS[0].input) as stream,
        ):
            assert [answer async for answer in stream] == [STREAMS[0].answer]
            assert await anext(stream, None) is None
            with pytest.raises(errors.ConfigurationError, match="can be read once"):
                [answer async for answer in stream]

    with ScriptedServer(events(payload(STREAMS[0]), last())) as server:
        asyncio.run(read_twice(server.url))
    assert len(server.requests) == 1


def test_a_second_loop_continues_after_a_break() -> None:
    sample = STREAMS[0]
    with (
        ScriptedServer(events(payload(sample), payload(sample), last())) as server,
        Client(api_key=KEY, base_url=server.url) as client,
        getattr(client, sample.name)(sample.input) as stream,
    ):
        for _ in stream:
            break
        assert list(stream) == [sample.answer]


def test_the_response_head_can_be_read_first() -> None:
    sample = STREAMS[0]
    with (
        ScriptedServer(events(payload(sample), last())) as server,
        Client(api_key=KEY, base_url=server.url) as client,
        getattr(client, sample.name)(sample.input) as stream,
    ):
        assert stream.response.status == 200
        assert stream.response.body == b""
        assert stream.response.attempts == 1
        assert list(stream) == [sample.answer]
    assert len(server.requests) == 1


def test_a_stream_without_its_last_frame_is_an_error(way: Way) -> None:
    with (
        ScriptedServer(events(payload(STREAMS[0]))) as server,
        pytest.raises(errors.StreamInterruptedError) as caught,
    ):
        way.take(server, STREAMS[0].name, STREAMS[0].input)
    assert caught.value.status == 200
    assert caught.value.attempts == 1
    assert caught.value.execution_id == RUN
    assert f"execution {RUN}" in str(caught.value)
    assert len(server.requests) == 1


def test_the_error_of_a_failed_stream_has_the_frame_as_its_body(way: Way) -> None:
    failed = events({"is_final": True, "error": f"tired of {KEY}"})
    with (
        ScriptedServer(failed) as server,
        pytest.raises((errors.FlowFailedError, errors.NodeFailedError)) as caught,
    ):
        way.take(server, STREAMS[0].name, STREAMS[0].input)
    assert "tired of" in caught.value.message
    assert KEY not in f"{caught.value!r} {caught.value.body}"
    assert isinstance(caught.value.body, dict)


def test_a_stream_is_retried_until_the_response_begins(way: Way) -> None:
    answers = [Scripted(status=503, body={}), events(payload(STREAMS[0]), last())]
    with ScriptedServer(*answers) as server:
        given, _ = way.take(server, STREAMS[0].name, STREAMS[0].input)
    assert given == [STREAMS[0].answer]
    assert len(set(server.keys())) == 1
    assert len(server.requests) == 2


def test_an_exception_from_the_source_ends_the_stream(way: Way) -> None:
    sample = next((each for each in STREAMS if each.upload is not None), None)
    if sample is None or sample.upload is None:
        pytest.skip("the client has no pipeline nodes")

    def source() -> Iterator[Any]:
        yield sample.input
        raise OSError("the disk is gone")

    with (
        ScriptedServer(events(last(input_frames=1))) as server,
        pytest.raises(OSError, match="the disk is gone"),
    ):
        way.take(server, sample.upload, source())


def test_async_sources_are_read() -> None:
    sample = next((each for each in STREAMS if each.upload is not None), None)
    if sample is None or sample.upload is None:
        pytest.skip("the client has no pipeline nodes")

    async def source() -> AsyncIterator[Any]:
        yield sample.input
        await asyncio.sleep(0)
        yield sample.input

    with ScriptedServer(events(last(input_frames=2))) as server:
        given, _ = Way(is_async=True).take(server, sample.upload, source())
    assert given == []


def test_an_incomplete_upload_is_an_error(way: Way) -> None:
    sample = next((each for each in STREAMS if each.upload is not None), None)
    if sample is None or sample.upload is None:
        pytest.skip("the client has no pipeline nodes")
    with (
        ScriptedServer(events(last(input_frames=1))) as server,
        pytest.raises(errors.StreamInterruptedError, match="1 of 2"),
    ):
        way.take(server, sample.upload, [sample.input, sample.input])


def test_a_read_after_a_cancelled_read_is_an_error() -> None:
    async def read(server: ScriptedServer) -> None:
        async with AsyncClient(api_key=KEY, base_url=server.url) as client:
            async with getattr(client, STREAMS[0].name)(STREAMS[0].input) as stream:
                with pytest.raises(asyncio.TimeoutError):
                    await asyncio.wait_for(anext(stream), 0.2)
                for _ in range(2):
                    with pytest.raises(errors.StreamInterruptedError, match="cancel"):
                        await anext(stream)
            assert await anext(stream, None) is None

    with ScriptedServer(Scripted(delay=30)) as server:
        asyncio.run(read(server))


def test_a_read_after_an_interrupted_read_is_an_error() -> None:
    def interrupt(request: httpx.Request) -> httpx.Response:
        raise KeyboardInterrupt(request.method)

    http = httpx.Client(transport=httpx.MockTransport(interrupt))
    client = Client(api_key=KEY, base_url="http://svc.invalid", http_client=http)
    with getattr(client, STREAMS[0].name)(STREAMS[0].input) as stream:
        with pytest.raises(KeyboardInterrupt):
            next(stream)
        with pytest.raises(errors.StreamInterruptedError, match="cancel"):
            next(stream)
    assert next(stream, None) is None


def test_an_async_read_at_the_end_raises_stop_async_iteration() -> None:
    async def read(server: ScriptedServer) -> None:
        async with AsyncClient(api_key=KEY, base_url=server.url) as client:
            stream = getattr(client, STREAMS[0].name)(STREAMS[0].input)
            assert await asyncio.wait_for(anext(stream), 20) == STREAMS[0].answer
            for _ in range(2):
                with pytest.raises(StopAsyncIteration):
                    await asyncio.wait_for(anext(stream), 20)

    with ScriptedServer(events(payload(STREAMS[0]), last())) as server:
        asyncio.run(read(server))


def endless(*frames: dict[str, Any]) -> Scripted:
    """Respond with an event stream that stays open after its frames."""
    return replace(events(*frames), holds=True)


def pass_on(stream: Any, given: Queue[Any]) -> None:
    """Copy the messages of a stream to a queue."""
    for each in stream:
        given.put(each)


def test_closing_a_stream_ends_iteration_in_another_thread() -> None:
    with (
        ScriptedServer(endless(payload(STREAMS[0]))) as server,
        Client(api_key=KEY, base_url=server.url) as client,
        ThreadPoolExecutor() as threads,
    ):
        stream = getattr(client, STREAMS[0].name)(STREAMS[0].input)
        given: Queue[Any] = Queue()
        reader = threads.submit(pass_on, stream, given)
        assert given.get(timeout=60) == STREAMS[0].answer
        stream.close()
        reader.result(10)
        assert given.empty()
        with pytest.raises(errors.ConfigurationError, match="is closed"):
            list(stream)


def test_closing_the_client_ends_iteration_in_another_thread() -> None:
    with (
        ScriptedServer(endless(payload(STREAMS[0]))) as server,
        Client(api_key=KEY, base_url=server.url) as client,
        ThreadPoolExecutor() as threads,
    ):
        stream = getattr(client, STREAMS[0].name)(STREAMS[0].input)
        reader = threads.submit(list, stream)
        while stream.execution_id is None:
            time.sleep(0.01)
        client.close()
        with pytest.raises(errors.ConfigurationError, match="client is closed"):
            reader.result(10)


def read_twice(way: Way, answer: Scripted) -> tuple[int, float]:
    """Read two streams. Return the number of connections and the elapsed seconds."""
    begun = time.monotonic()
    with ScriptedServer(answer) as server:
        way.take_often(server, STREAMS[0], 2)
    seconds = time.monotonic() - begun
    return len({request.port for request in server.requests}), seconds


@pytest.mark.parametrize("rest", [b"", b": end\n\n"], ids=["none", "a comment"])
def test_a_complete_stream_returns_its_connection_to_the_pool(
    way: Way, rest: bytes
) -> None:
    answer = events(payload(STREAMS[0]), last())
    answer = replace(answer, body=answer.body + rest, keeps_alive=True)
    connections, _ = read_twice(way, answer)
    assert connections == 1


def test_a_failed_stream_returns_its_connection_to_the_pool(way: Way) -> None:
    failed = replace(events(last(success=False, error="no")), keeps_alive=True)
    connections, _ = read_twice(way, failed)
    assert connections == 1


def test_a_body_that_stays_open_after_the_last_frame_is_abandoned(way: Way) -> None:
    answer = endless(payload(STREAMS[0]), last())
    connections, seconds = read_twice(way, answer)
    assert connections == 2
    assert seconds < 5


def test_a_body_that_continues_after_the_last_frame_is_abandoned(way: Way) -> None:
    long = events(payload(STREAMS[0]), last())
    long = replace(long, body=long.body + b":" * 10_000_000, keeps_alive=True)
    connections, _ = read_twice(way, long)
    assert connections == 2


class PooledConnection:
    """A pooled connection, which the HTTP library reuses for several responses."""

    def __init__(self) -> None:
        """Connect two sockets."""
        self.own, self.peer = socket.socketpair()

    def get_extra_info(self, _: str) -> socket.socket:
        """Return the socket."""
        return self.own


def test_closing_the_client_keeps_pooled_connections_open() -> None:
    connection = PooledConnection()
    answer = events(payload(STREAMS[0]), last())

    def respond(_: httpx.Request) -> httpx.Response:
        return httpx.Response(
            200,
            headers=answer.headers,
            content=answer.body,
            extensions={"network_stream": connection},
        )

    with httpx.Client(transport=httpx.MockTransport(respond)) as http:
        client = Client(api_key=KEY, base_url="http://svc.invalid", http_client=http)
        stream = getattr(client, STREAMS[0].name)(STREAMS[0].input)
        assert list(stream) == [STREAMS[0].answer]
        client.close()
        connection.peer.settimeout(0)
        with pytest.raises(BlockingIOError):
            connection.peer.recv(1)
    connection.own.close()
    connection.peer.close()


@pytest.mark.parametrize("answer", [endless(), Scripted(503, {})])
def test_a_stream_closed_before_its_response_ends_at_the_head(
    answer: Scripted,
) -> None:
    closed = Event()
    with (
        ScriptedServer(replace(answer, after=closed)) as server,
        Client(api_key=KEY, base_url=server.url) as client,
        ThreadPoolExecutor() as threads,
    ):
        stream = getattr(client, STREAMS[0].name)(STREAMS[0].input)
        reader = threads.submit(list, stream)
        server.wait_for(1)
        stream.close()
        closed.set()
        assert reader.result(10) == []
        assert len(server.requests) == 1


@pytest.mark.parametrize("answer", [endless(), Scripted(delay=30)])
def test_closing_a_stream_ends_iteration_in_another_task(answer: Scripted) -> None:
    async def read(stream: Any) -> list[Any]:
        return [each async for each in stream]

    async def close(server: ScriptedServer) -> None:
        async with AsyncClient(api_key=KEY, base_url=server.url) as client:
            stream = getattr(client, STREAMS[0].name)(STREAMS[0].input)
            reader = asyncio.create_task(read(stream))
            await asyncio.to_thread(server.wait_for, 1)
            await asyncio.sleep(0.1)
            await stream.aclose()
            assert await asyncio.wait_for(reader, 10) == []
            with pytest.raises(errors.ConfigurationError, match="is closed"):
                await read(stream)

    with ScriptedServer(answer) as server:
        asyncio.run(close(server))


def test_only_one_thread_may_read_a_stream() -> None:
    with (
        ScriptedServer(endless(payload(STREAMS[0]))) as server,
        Client(api_key=KEY, base_url=server.url) as client,
        ThreadPoolExecutor() as threads,
    ):
        stream = getattr(client, STREAMS[0].name)(STREAMS[0].input)
        given: Queue[Any] = Queue()
        reader = threads.submit(pass_on, stream, given)
        assert given.get(timeout=60) == STREAMS[0].answer
        time.sleep(0.1)
        with pytest.raises(errors.ConfigurationError, match="already being read"):
            next(stream)
        stream.close()
        reader.result(10)
        assert given.empty()


def test_options_are_checked_when_a_method_is_called() -> None:
    for kind in (Client, AsyncClient):
        client = kind(api_key=KEY, base_url="http://svc.invalid")
        for sample in STREAMS:
            stream = getattr(client, sample.name)
            with pytest.raises(errors.ConfigurationError, match="greater than 0"):
                stream(sample.input, timeout=-1)
            if sample.upload is not None:
                with pytest.raises(TypeError, match="timuot"):
                    getattr(client, sample.upload)([], timuot=3)


def test_a_key_rejected_with_a_401_is_replaced_for_the_next_upload(way: Way) -> None:
    sample = next((each for each in STREAMS if each.upload is not None), None)
    if sample is None or sample.upload is None:
        pytest.skip("the client has no pipeline nodes")
    keys = iter("123")
    refused = Scripted(401, {"error": "unauthorized"})
    script = (refused, refused, events(last(input_frames=0)))
    settings: Any = {"api_key": lambda: next(keys)}
    with ScriptedServer(*script) as server:
        way.upload_again(server, sample.upload, 2, settings)
    sent = [request.headers["authorization"] for request in server.requests]
    assert sent == ["Bearer 1", "Bearer 2", "Bearer 3"]


def upload_sample() -> Sample:
    """Return a pipeline node."""
    sample = next((each for each in STREAMS if each.upload is not None), None)
    if sample is None:
        pytest.skip("the client has no pipeline nodes")
    return sample


@pytest.mark.parametrize(
    "error", [httpx.ReadError("mine"), errors.ConnectionFailedError("mine")]
)
def test_an_exception_from_the_source_propagates_unchanged(
    way: Way, error: Exception
) -> None:
    sample = upload_sample()

    def source() -> Iterator[Any]:
        yield sample.input
        raise error

    with (
        ScriptedServer(events(last(input_frames=1))) as server,
        pytest.raises(type(error)) as caught,
    ):
        way.take(server, str(sample.upload), source(), max_retries=2)
    assert caught.value is error
    assert len(server.requests) <= 1


def test_a_source_must_be_iterable() -> None:
    sample = upload_sample()
    for kind in (Client, AsyncClient):
        client = kind(api_key=KEY, base_url="http://svc.invalid")
        with pytest.raises(TypeError, match="got NoneType"):
            getattr(client, str(sample.upload))(None)


@pytest.mark.parametrize("cancels", [False, True], ids=["timeout", "cancelled"])
def test_a_stalled_source_is_cancelled_with_its_call(*, cancels: bool) -> None:
    sample = upload_sample()
    waits = asyncio.Event()
    ended: list[str] = []

    async def source() -> AsyncIterator[Any]:
        yield sample.input
        waits.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("cancelled")

    async def upload(url: str) -> None:
        async with AsyncClient(api_key=KEY, base_url=url) as client:
            method = getattr(client, str(sample.upload))
            stream = method(source(), timeout=30 if cancels else 3)
            read = asyncio.ensure_future(anext(stream, None))
            await asyncio.wait_for(waits.wait(), 30)
            if cancels:
                read.cancel()
            expected = asyncio.CancelledError if cancels else errors.TimedOutError
            with pytest.raises(expected):
                await asyncio.wait_for(read, 60)

    with ScriptedServer(events(last(input_frames=1))) as server:
        started = time.monotonic()
        asyncio.run(upload(server.url))
        assert time.monotonic() - started < 20
    assert ended == ["cancelled"]


def test_a_slow_source_times_out_between_messages() -> None:
    sample = upload_sample()

    def source() -> Iterator[Any]:
        while True:
            time.sleep(0.3)
            yield sample.input

    with (
        ScriptedServer(events(last())) as server,
        Client(api_key=KEY, base_url=server.url) as client,
        pytest.raises(errors.TimedOutError),
    ):
        list(getattr(client, str(sample.upload))(source(), timeout=1))


def test_closing_a_stream_after_reading_its_head_closes_the_connection() -> None:
    with (
        ScriptedServer(endless(payload(STREAMS[0]))) as server,
        Client(api_key=KEY, base_url=server.url) as client,
    ):
        stream = getattr(client, STREAMS[0].name)(STREAMS[0].input)
        assert stream.response.status == 200
        body = stream._source._opened.answer.stream
        stream.close()
        assert body._response.is_closed

        async def close() -> bool:
            async with AsyncClient(api_key=KEY, base_url=server.url) as other:
                stream = getattr(other, STREAMS[0].name)(STREAMS[0].input)
                assert (await stream.response()).status == 200
                body = stream._source._opened.answer.stream
                await stream.aclose()
                return bool(body._response.is_closed)

        assert asyncio.run(close())


def test_the_head_can_be_requested_while_the_stream_opens() -> None:
    answer = replace(events(payload(STREAMS[0]), last()), delay=0.5)

    def read(url: str) -> tuple[Any, Any]:
        with (
            Client(api_key=KEY, base_url=url) as client,
            ThreadPoolExecutor() as threads,
        ):
            stream = getattr(client, STREAMS[0].name)(STREAMS[0].input)
            reader = threads.submit(list, stream)
            time.sleep(0.1)
            return stream.response, reader.result(10)

    async def read_async(url: str) -> Any:
        async with AsyncClient(api_key=KEY, base_url=url) as client:
            stream = getattr(client, STREAMS[0].name)(STREAMS[0].input)

            async def read_all() -> list[Any]:
                return [each async for each in stream]

            return await asyncio.gather(stream.response(), read_all())

    with ScriptedServer(answer) as server:
        for head, answers in [read(server.url), asyncio.run(read_async(server.url))]:
            assert head.status == 200
            assert answers == [STREAMS[0].answer]
    assert len(server.requests) == 2


def test_a_closed_stream_sends_no_request() -> None:
    client = Client(api_key=KEY, base_url="http://svc.invalid")
    stream = getattr(client, STREAMS[0].name)(STREAMS[0].input)
    stream.close()
    with pytest.raises(errors.ConfigurationError, match="stream is closed"):
        assert stream.response

    async def close() -> None:
        other = AsyncClient(api_key=KEY, base_url="http://svc.invalid")
        stream = getattr(other, STREAMS[0].name)(STREAMS[0].input)
        await stream.aclose()
        with pytest.raises(errors.ConfigurationError, match="stream is closed"):
            await stream.response()

    asyncio.run(close())


def test_a_rejected_stream_is_not_sent_again() -> None:
    with ScriptedServer(Scripted(400, {"message": "no"})) as server:
        with Client(api_key=KEY, base_url=server.url) as client:
            stream = getattr(client, STREAMS[0].name)(STREAMS[0].input)
            with pytest.raises(errors.BadRequestError):
                list(stream)
            with pytest.raises(errors.BadRequestError):
                assert stream.response

        async def refuse() -> None:
            async with AsyncClient(api_key=KEY, base_url=server.url) as other:
                stream = getattr(other, STREAMS[0].name)(STREAMS[0].input)
                with pytest.raises(errors.BadRequestError):
                    await anext(stream)
                with pytest.raises(errors.BadRequestError):
                    await stream.response()

        asyncio.run(refuse())
    assert len(server.requests) == 2


def test_the_timeout_applies_to_buffered_messages() -> None:
    sample = STREAMS[0]
    answer = events(payload(sample), payload(sample), last())

    async def read_async(url: str) -> None:
        async with AsyncClient(api_key=KEY, base_url=url) as client:
            stream = getattr(client, sample.name)(sample.input, timeout=2)
            assert await anext(stream) == sample.answer
            await asyncio.sleep(2.1)
            with pytest.raises(errors.TimedOutError):
                await anext(stream)

    def read_blocking(url: str) -> None:
        with Client(api_key=KEY, base_url=url) as client:
            stream = getattr(client, sample.name)(sample.input, timeout=2)
            assert next(stream) == sample.answer
            time.sleep(2.1)
            with pytest.raises(errors.TimedOutError):
                next(stream)

    def check(read: Callable[[str], None]) -> None:
        with ScriptedServer(answer) as server:
            read(server.url)

    def read_awaiting(url: str) -> None:
        asyncio.run(read_async(url))

    side_by_side(check, [read_blocking, read_awaiting])


@pytest.mark.parametrize("line", [b"a" * 65_536, b"data: " + b"a" * 65_530 + b"\n"])
def test_an_oversized_message_is_an_error(way: Way, line: bytes) -> None:
    head = {"Content-Type": "text/event-stream"}
    answer = Scripted(body=line * 520, headers=head, holds=True)
    with (
        ScriptedServer(answer) as server,
        pytest.raises(errors.InvalidResponseError, match="larger than 32 MiB"),
    ):
        way.take(server, STREAMS[0].name, STREAMS[0].input)


def test_a_silent_stream_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    attempt = importlib.import_module("._attempt", errors.__package__)
    monkeypatch.setattr(attempt, "LONGEST_SILENCE", 1.0)

    def check(way: Way) -> None:
        with (
            ScriptedServer(endless(payload(STREAMS[0]))) as server,
            pytest.raises(
                errors.StreamInterruptedError, match="nothing arrived for 1 s"
            ),
        ):
            way.take(server, STREAMS[0].name, STREAMS[0].input, timeout=None)

    side_by_side(check, WAYS)


async def leave_loops(url: str, sample: Sample) -> None:
    """Leave loops by ``return``, ``break`` and an exception, without ``async with``."""

    async def return_first(stream: Any) -> Any:
        async for answer in stream:
            return answer
        return None

    async def fail_at_first(stream: Any) -> None:
        async for answer in stream:
            raise LookupError(answer)

    async with AsyncClient(api_key=KEY, base_url=url) as client:
        method = getattr(client, sample.name)
        for _ in range(4):
            assert await return_first(method(sample.input)) == sample.answer
            with pytest.raises(LookupError):
                await fail_at_first(method(sample.input))
            async for _ in method(sample.input):
                break
            gc.collect()
            await asyncio.sleep(0.01)
        # The event loop closes this one on shutdown.
        await return_first(method(sample.input))


def test_leaving_a_loop_without_a_context_manager_is_cleaned_up() -> None:
    reported: list[dict[str, Any]] = []

    async def leave(url: str) -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: reported.append(context))
        await leave_loops(url, STREAMS[0])

    with ScriptedServer(endless(payload(STREAMS[0]))) as server:
        asyncio.run(leave(server.url))
        gc.collect()
    assert reported == []


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_an_unreferenced_stream_is_freed_immediately(*, is_async: bool) -> None:
    kind = AsyncClient if is_async else Client
    client = kind(api_key=KEY, base_url="http://svc.invalid")
    streams = [
        getattr(client, STREAMS[0].name)(STREAMS[0].input),
        client._execution(FLOW, RUN).follow(),
    ]
    gc.disable()
    try:
        references = [weakref.ref(stream) for stream in streams]
        del streams
        assert [each() for each in references] == [None, None]
    finally:
        gc.enable()


def test_an_interrupted_stream_is_logged_once(
    way: Way, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    sample = STREAMS[0]
    with (
        ScriptedServer(events(payload(sample))) as server,
        pytest.raises(errors.StreamInterruptedError),
    ):
        way.take(server, sample.name, sample.input)
    assert caplog.text.count("the stream was cut off: there was no last frame") == 1
