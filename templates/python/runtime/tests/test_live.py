"""Tests of live sessions against a scripted server."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from threading import Event
from typing import Any

import httpx
import pytest
from scripted_server import Scripted, ScriptedServer
from sdk import STREAMS, AsyncClient, Client, Sample, errors
from side_by_side import side_by_side

KEY = "0123456789abcdef" * 4
RUN = "d" * 32
NODES = [sample for sample in STREAMS if sample.open is not None]
READY = {
    "type": "SESSION_READY",
    "execution_id": RUN,
    "limits": {"input_frames": 3, "session_seconds": 300},
}
LAST = {"is_final": True, "success": True, "input_frames": 2}

pytestmark = pytest.mark.skipif(not NODES, reason="the client has no pipeline nodes")


def answering(sample: Sample, count: int) -> Scripted:
    """Reply to each of ``count`` messages with an output, then end the session."""
    seen: list[Any] = []

    def reply(message: Any) -> list[Any]:
        seen.append(message)
        end = [LAST] if len(seen) == count else []
        return [{"payload": sample.output, "is_final": False}, *end]

    return Scripted(socket=[READY], reply=reply)


def saying(*messages: Any, close: tuple[int, str] | None = None) -> Scripted:
    """Send messages and close the session."""
    return Scripted(socket=[READY, *messages], close=close)


@dataclass(frozen=True, kw_only=True)
class Way:
    """Uses sessions of the synchronous or the asyncio client."""

    is_async: bool

    def run(self, server: ScriptedServer, sample: Sample, do: Any, **more: Any) -> Any:
        """Call ``do`` with a session."""
        settings: Any = {"api_key": KEY, "base_url": server.url, "retry_delay": 0.001}
        settings |= more
        return asyncio.run(self._run(settings, sample, do))

    async def _run(self, settings: Any, sample: Sample, do: Any) -> Any:
        if self.is_async:
            async with (
                AsyncClient(**settings) as client,
                getattr(client, str(sample.open))(timeout=20) as session,
            ):
                return await do(session)
        with (
            Client(**settings) as blocking,
            getattr(blocking, str(sample.open))(timeout=20) as session,
        ):
            return await do(session)

    async def send(self, session: Any, message: Any) -> None:
        """Send a message."""
        sent = session.send(message)
        if self.is_async:
            await sent

    async def rest(self, session: Any) -> list[Any]:
        """Return the remaining messages."""
        return [each async for each in session] if self.is_async else list(session)

    async def next(self, session: Any) -> Any:
        """Return the next message."""
        return await anext(session) if self.is_async else next(session)


WAYS = [Way(is_async=False), Way(is_async=True)]


@pytest.fixture(params=WAYS, ids=["sync", "async"])
def way(request: pytest.FixtureRequest) -> Way:
    """Use either client."""
    chosen: Way = request.param
    return chosen


@pytest.mark.parametrize("sample", NODES, ids=lambda sample: str(sample.name))
def test_messages_are_sent_and_received(way: Way, sample: Sample) -> None:
    async def converse(session: Any) -> None:
        await way.send(session, sample.input)
        assert await way.next(session) == sample.answer
        await way.send(session, sample.input)
        assert await way.rest(session) == [sample.answer]
        assert await way.rest(session) == []
        assert session.execution_id == RUN
        assert repr(session) == f"{type(session).__name__}(execution_id='{RUN}')"
        assert (session.limits.input_messages, session.limits.input_bytes) == (3, None)

    with ScriptedServer(answering(sample, 2)) as server:
        way.run(server, sample, converse)
        assert server.closed.wait(10)
    request = server.requests[0]
    assert request.path == f"{sample.path}/live"
    assert request.headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("message", "close", "error", "said"),
    [
        ({"is_final": True, "error": "tired"}, (1000, ""), "NodeFailedError", "tired"),
        ([], (1000, ""), "InvalidResponseError", "not a JSON object"),
        (None, (1013, "slow: x"), "StreamInterruptedError", "1013 slow: x"),
        (None, (1001, "bye"), "StreamInterruptedError", "1001 bye"),
    ],
)
def test_the_error_gives_the_reason_why_the_session_ended(
    way: Way, message: Any, close: tuple[int, str], error: str, said: str
) -> None:
    messages = [] if message is None else [message]
    kind = getattr(errors, error)
    with (
        ScriptedServer(saying(*messages, close=close)) as server,
        pytest.raises(kind, match=said) as caught,
    ):
        way.run(server, NODES[0], way.rest)
    assert type(caught.value) is kind
    assert caught.value.execution_id == RUN


def test_a_rejected_session_maps_to_its_error(way: Way) -> None:
    refusal = Scripted(400, {"error_message": "it is a unary node"})
    with (
        ScriptedServer(refusal) as server,
        pytest.raises(errors.BadRequestError, match="it is a unary node"),
    ):
        way.run(server, NODES[0], way.rest)


def test_a_2xx_without_an_upgrade_is_an_error(way: Way) -> None:
    with (
        ScriptedServer(Scripted(body={})) as server,
        pytest.raises(errors.InvalidResponseError, match="not open a WebSocket"),
    ):
        way.run(server, NODES[0], way.rest)
    assert len(server.requests) == 1


def test_a_session_that_is_never_ready_is_an_error(way: Way) -> None:
    with (
        ScriptedServer(Scripted(socket=[], close=(1011, "internal"))) as server,
        pytest.raises(errors.StreamInterruptedError, match="1011 internal"),
    ):
        way.run(server, NODES[0], way.rest)
    assert len(server.requests) == 3


def test_reopening_a_session_counts_as_an_attempt(
    way: Way, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("random.random", lambda: 1.0)
    caplog.set_level(logging.INFO)
    with (
        ScriptedServer(Scripted(socket=[], close=(1011, "internal"))) as server,
        pytest.raises(errors.StreamInterruptedError) as caught,
    ):
        way.run(server, NODES[0], way.rest, max_retries=3, retry_delay=0.01)
    assert caught.value.attempts == len(server.requests) == 4
    for said in ("2 in 0.01 s", "3 in 0.02 s", "4 in 0.04 s"):
        assert f"starting attempt {said}" in caplog.text


def test_opening_is_retried_until_the_session_is_ready(way: Way) -> None:
    lost = Scripted(socket=[], close=(1001, ""))
    with ScriptedServer(Scripted(503, {}), lost, saying(LAST)) as server:
        assert way.run(server, NODES[0], way.rest) == []
    assert len(server.requests) == 3


def test_the_first_message_must_be_session_ready(way: Way) -> None:
    with (
        ScriptedServer(Scripted(socket=[{"payload": {}}])) as server,
        pytest.raises(
            errors.InvalidResponseError, match="does not begin with SESSION_READY"
        ),
    ):
        way.run(server, NODES[0], way.rest)
    assert server.closed.wait(10)


def test_exceptions_from_the_with_block_propagate_unchanged(way: Way) -> None:
    async def fail(session: Any) -> None:
        assert session.limits.session_seconds == 300
        raise LookupError("mine")

    with (
        ScriptedServer(saying()) as server,
        pytest.raises(LookupError, match="mine"),
    ):
        way.run(server, NODES[0], fail)
    assert server.closed.wait(10)


def test_pings_are_answered_without_a_reader(way: Way) -> None:
    async def wait(_: Any) -> None:
        await asyncio.to_thread(server.ponged.wait, 10)

    with ScriptedServer(saying(b"\x89\x02hi")) as server:
        way.run(server, NODES[0], wait)
        assert server.ponged.is_set()


def test_the_error_numbers_an_invalid_message(way: Way) -> None:
    async def send(session: Any) -> None:
        await way.send(session, NODES[0].input)
        await way.send(session, object())

    with (
        ScriptedServer(answering(NODES[0], 9)) as server,
        pytest.raises(errors.MessageError, match="input message 1: "),
    ):
        way.run(server, NODES[0], send)


def test_a_message_above_the_size_limit_is_not_sent(way: Way) -> None:
    async def send(session: Any) -> None:
        await way.send(session, NODES[0].input)

    ready = {**READY, "limits": {"input_frame_bytes": 1}}
    with (
        ScriptedServer(Scripted(socket=[ready])) as server,
        pytest.raises(errors.MessageError, match="the service takes 1"),
    ):
        way.run(server, NODES[0], send)


def test_a_session_must_be_entered() -> None:
    client = Client(api_key=KEY, base_url="http://svc.invalid")
    session = getattr(client, str(NODES[0].open))()
    with pytest.raises(errors.ConfigurationError, match="with block"):
        session.send(NODES[0].input)
    session.close()
    with pytest.raises(errors.ConfigurationError, match="session is closed"):
        session.send(NODES[0].input)


def test_options_are_checked_when_a_method_is_called() -> None:
    for kind in (Client, AsyncClient):
        client = kind(api_key=KEY, base_url="http://svc.invalid")
        with pytest.raises(TypeError, match="timuot"):
            getattr(client, str(NODES[0].open))(timuot=3)
        with pytest.raises(errors.ConfigurationError, match="greater than 0"):
            getattr(client, str(NODES[0].open))(timeout=-1)


def test_a_session_cannot_be_reentered(way: Way) -> None:
    kept: list[Any] = []

    async def keep(session: Any) -> None:
        kept.append(session)

    async def enter_again(session: Any) -> None:
        if way.is_async:
            await session.__aenter__()
        else:
            session.__enter__()

    with ScriptedServer(saying()) as server:
        way.run(server, NODES[0], keep)
        for session in kept:
            with pytest.raises(errors.ConfigurationError, match="entered once"):
                asyncio.run(enter_again(session))
            with pytest.raises(errors.ConfigurationError, match="session is closed"):
                asyncio.run(way.send(session, NODES[0].input))
    assert len(server.requests) == 1


def test_a_cancelled_read_does_not_lose_a_message() -> None:
    async def converse(session: Any) -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(anext(session), 0.2)
        await session.send(NODES[0].input)
        assert [each async for each in session] == [NODES[0].answer]

    with ScriptedServer(answering(NODES[0], 1)) as server:
        Way(is_async=True).run(server, NODES[0], converse)
        assert server.closed.wait(10)


@pytest.mark.parametrize("closes", [False, True], ids=["leave", "aclose"])
def test_ending_a_session_ends_iteration_in_another_task(*, closes: bool) -> None:
    readers: list[asyncio.Task[list[Any]]] = []

    async def read(session: Any) -> list[Any]:
        return [each async for each in session]

    async def converse(session: Any) -> None:
        readers.append(asyncio.create_task(read(session)))
        await asyncio.sleep(0.1)
        if closes:
            await asyncio.create_task(session.aclose())
            assert await readers[0] == []

    async def leave(server: ScriptedServer) -> None:
        settings: Any = {"api_key": KEY, "base_url": server.url}
        await Way(is_async=True)._run(settings, NODES[0], converse)
        assert await readers[0] == []
        assert asyncio.all_tasks() == {asyncio.current_task()}

    with ScriptedServer(saying()) as server:
        asyncio.run(leave(server))
        assert server.closed.wait(10)


def test_ending_a_session_ends_iteration_in_another_thread() -> None:
    with ScriptedServer(saying()) as server, ThreadPoolExecutor() as threads:
        client = Client(api_key=KEY, base_url=server.url)
        with getattr(client, str(NODES[0].open))() as session:
            reader = threads.submit(list, session)
            assert not wait([reader], 0.1).done
        assert reader.result(10) == []
        assert server.closed.wait(10)


def test_only_one_thread_may_read_a_session() -> None:
    with ScriptedServer(saying()) as server, ThreadPoolExecutor() as threads:
        client = Client(api_key=KEY, base_url=server.url)
        with getattr(client, str(NODES[0].open))() as session:
            readers = [threads.submit(list, session) for _ in range(2)]
            refused, waiting = wait(readers, 10, FIRST_COMPLETED)
            with pytest.raises(errors.ConfigurationError, match="already being read"):
                refused.pop().result()
        assert waiting.pop().result(10) == []


def test_only_one_task_may_read_a_session() -> None:
    async def converse(session: Any) -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(anext(session), 0.1)
        reader = asyncio.ensure_future(anext(session))
        await asyncio.sleep(0.1)
        with pytest.raises(errors.ConfigurationError, match="already being read"):
            await anext(session)
        await session.send(NODES[0].input)
        assert await reader == NODES[0].answer

    with ScriptedServer(answering(NODES[0], 1)) as server:
        Way(is_async=True).run(server, NODES[0], converse)


def test_a_session_closed_while_opening_is_not_reopened() -> None:
    closed = Event()
    with (
        ScriptedServer(Scripted(503, {}, after=closed)) as server,
        Client(api_key=KEY, base_url=server.url) as client,
        ThreadPoolExecutor() as threads,
    ):
        session = getattr(client, str(NODES[0].open))()
        opening = threads.submit(session.__enter__)
        server.wait_for(1)
        session.close()
        closed.set()
        with pytest.raises(errors.ConfigurationError, match="was closed before"):
            opening.result(10)
        assert len(server.requests) == 1


class SlowReads(httpx.HTTPTransport):
    """Reads a WebSocket slowly, and records whether it is closed during a read."""

    def __init__(self) -> None:
        """Start without records."""
        super().__init__()
        self.is_reading = False
        self.was_reading: list[bool] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Open the WebSocket."""
        response: Any = super().handle_request(request)
        stream = response.extensions["network_stream"]
        read, close = stream.read, response.stream.close

        def read_slowly(size: int, timeout: float) -> Any:
            self.is_reading = True
            data = read(size, timeout)
            time.sleep(0.2)
            self.is_reading = False
            return data

        def note_and_close() -> None:
            self.was_reading.append(self.is_reading)
            close()

        stream.read, response.stream.close = read_slowly, note_and_close
        opened: httpx.Response = response
        return opened


def test_the_connection_is_closed_after_the_reader_has_left() -> None:
    with ScriptedServer(saying()) as server:
        slow = SlowReads()
        http = httpx.Client(transport=slow)
        client = Client(api_key=KEY, base_url=server.url, http_client=http)
        with getattr(client, str(NODES[0].open))():
            time.sleep(0.1)
        assert slow.was_reading == [False]


@pytest.mark.parametrize(
    ("message", "close", "error", "said"),
    [
        ({"is_final": True, "error": "tired"}, (1000, ""), "NodeFailedError", "tired"),
        (None, (1013, "slow: x"), "StreamInterruptedError", "1013 slow: x"),
    ],
)
def test_send_raises_the_reason_why_the_session_ended(
    way: Way, message: Any, close: tuple[int, str], error: str, said: str
) -> None:
    async def send(session: Any) -> None:
        for _ in range(100):
            await way.send(session, NODES[0].input)
            await asyncio.sleep(0.1)

    async def read_and_send(session: Any) -> None:
        with pytest.raises(kind, match=said):
            await way.rest(session)
        await way.send(session, NODES[0].input)

    messages = [] if message is None else [message]
    kind = getattr(errors, error)
    for do in (send, read_and_send):
        with (
            ScriptedServer(saying(*messages, close=close)) as server,
            pytest.raises(kind, match=said) as caught,
        ):
            way.run(server, NODES[0], do)
        assert type(caught.value) is kind
        assert caught.value.execution_id == RUN


@pytest.mark.parametrize(
    ("final", "error", "said"),
    [
        ({"is_final": True, "error": "tired"}, "NodeFailedError", "tired"),
        (LAST, "StreamInterruptedError", "the session has ended"),
    ],
    ids=["failed", "completed"],
)
def test_send_fails_after_the_end_of_the_session(
    way: Way, final: Any, error: str, said: str
) -> None:
    async def read_and_send(session: Any) -> None:
        with contextlib.suppress(errors.NodeFailedError):
            await way.rest(session)
        for _ in range(3):
            with pytest.raises(getattr(errors, error), match=said) as caught:
                await way.send(session, NODES[0].input)
            assert caught.value.execution_id == RUN

    # The server keeps the connection open.
    with ScriptedServer(saying(final)) as server:
        way.run(server, NODES[0], read_and_send)


def test_send_blocks_under_backpressure() -> None:
    def check(way: Way) -> None:
        taking = Event()
        sent: list[int] = []
        expected = 64

        def hold(_: Any) -> list[Any]:
            taking.wait(30)
            return []

        async def send(session: Any) -> None:
            session._call.print = lambda _: b'"' + b"a" * 1_000_000 + b'"'
            for number in range(expected):
                if way.is_async:
                    await session.send(None)
                else:
                    await asyncio.to_thread(session.send, None)
                sent.append(number)

        async def converse(session: Any) -> None:
            sending = asyncio.create_task(send(session))
            await asyncio.sleep(2)
            assert len(sent) < expected
            taking.set()
            await asyncio.wait_for(sending, 30)

        with ScriptedServer(Scripted(socket=[READY], reply=hold)) as server:
            way.run(server, NODES[0], converse)
        assert len(sent) == expected

    side_by_side(check, WAYS)


def test_closing_a_session_unblocks_a_pending_send() -> None:
    def check(way: Way) -> None:
        leaving = Event()

        def hold(_: Any) -> list[Any]:
            leaving.wait(30)
            return []

        async def send(session: Any) -> None:
            session._call.print = lambda _: b'"' + b"a" * 1_000_000 + b'"'
            for _ in range(64):
                if way.is_async:
                    await session.send(None)
                else:
                    await asyncio.to_thread(session.send, None)

        async def converse(session: Any) -> None:
            sending = asyncio.create_task(send(session))
            await asyncio.sleep(1)
            if way.is_async:
                await session.aclose()
            else:
                session.close()
            with pytest.raises(errors.ConfigurationError, match="session is closed"):
                await asyncio.wait_for(sending, 10)
            leaving.set()

        with ScriptedServer(Scripted(socket=[READY], reply=hold)) as server:
            way.run(server, NODES[0], converse)

    side_by_side(check, WAYS)


class SlowWrites:
    """Writes data in two halves, each after a delay."""

    def __init__(self, session: Any) -> None:
        """Replace the ``write`` method of a session's connection."""
        self._stream = session._answer.stream._stream
        self._write = self._stream.write
        self._stream.write = self.write

    async def write(self, data: bytes, timeout: float | None = None) -> None:
        """Write one half, then the other."""
        middle = len(data) // 2
        for half in (data[:middle], data[middle:]):
            await asyncio.sleep(0.2)
            await self._write(half, timeout=timeout)


def collecting(received: list[Any]) -> Scripted:
    """Collect messages without a reply."""

    def collect(message: Any) -> list[Any]:
        received.append(message)
        return []

    return Scripted(socket=[READY], reply=collect)


def test_a_cancelled_send_does_not_truncate_a_message() -> None:
    received: list[Any] = []

    async def converse(session: Any) -> None:
        session._call.print = lambda text: json.dumps(text).encode()
        SlowWrites(session)
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(session.send("first"), 0.3)
        await session.send("second")

    with ScriptedServer(collecting(received)) as server:
        Way(is_async=True).run(server, NODES[0], converse)
        assert server.closed.wait(10)
    assert received == ["first", "second"]


def test_a_cancelled_send_does_not_lose_messages_of_other_tasks() -> None:
    received: list[Any] = []

    async def converse(session: Any) -> None:
        session._call.print = lambda text: json.dumps(text).encode()
        SlowWrites(session)
        first = asyncio.create_task(session.send("a"))
        await asyncio.sleep(0.1)
        cancelled, last = [
            asyncio.create_task(session.send(text)) for text in ("b", "c")
        ]
        # The first message is written, and the write of the next one has started.
        await asyncio.sleep(0.4)
        cancelled.cancel()
        await asyncio.wait_for(asyncio.gather(first, last), 10)

    with ScriptedServer(collecting(received)) as server:
        Way(is_async=True).run(server, NODES[0], converse)
        assert server.closed.wait(10)
    assert [each for each in received if each != "b"] == ["a", "c"]


def test_nothing_is_sent_after_a_truncated_message() -> None:
    received: list[Any] = []

    async def converse(session: Any) -> None:
        session._call.print = lambda text: json.dumps(text).encode()
        stream = session._answer.stream._stream
        write = stream.write

        def write_half(data: bytes, timeout: float | None = None) -> None:
            write(data[: len(data) // 2], timeout=timeout)
            raise KeyboardInterrupt

        stream.write = write_half
        with pytest.raises(KeyboardInterrupt):
            session.send("first")
        stream.write = write
        with pytest.raises(errors.StreamInterruptedError):
            session.send("second")

    with ScriptedServer(collecting(received)) as server:
        Way(is_async=False).run(server, NODES[0], converse)
        assert server.closed.wait(10)
    assert received == []


def test_closing_the_client_ends_iteration_in_another_thread() -> None:
    with (
        ScriptedServer(saying()) as server,
        ThreadPoolExecutor() as threads,
        Client(api_key=KEY, base_url=server.url) as client,
        getattr(client, str(NODES[0].open))() as session,
    ):
        reader = threads.submit(list, session)
        time.sleep(0.2)
        client.close()
        with pytest.raises(errors.ConfigurationError, match="client is closed"):
            reader.result(10)


def test_an_oversized_message_is_an_error(way: Way) -> None:
    # The header of a 64 MiB text frame.
    announced = b"\x81\x7f" + (64 * 1024 * 1024).to_bytes(8, "big")
    with (
        ScriptedServer(saying(announced)) as server,
        pytest.raises(errors.InvalidResponseError, match="larger than 32 MiB"),
    ):
        way.run(server, NODES[0], way.rest)


def test_sessions_that_are_never_ready_exhaust_the_retry_budget(
    way: Way, caplog: pytest.LogCaptureFixture
) -> None:
    with ScriptedServer(Scripted(socket=[], close=(1011, ""))) as server:
        with pytest.raises(errors.StreamInterruptedError) as caught:
            way.run(server, NODES[0], way.rest, max_retries=4, retry_budget=2)
        assert len(server.requests) == 3
    assert caught.value.message.endswith("; not tried again: the retry budget is empty")
    assert "the retry budget is empty" in caplog.text


def test_a_ready_session_returns_a_token_to_the_retry_budget(way: Way) -> None:
    refused = Scripted(503, {})
    lost = Scripted(socket=[], close=(1011, ""))

    async def again(session: Any) -> Any:
        return session._call._call._budget._tenths

    with ScriptedServer(refused, lost, saying()) as server:
        assert way.run(server, NODES[0], again, retry_budget=2) == 20 - 10


def test_a_429_with_retry_after_does_not_use_the_retry_budget() -> None:
    def check(way: Way) -> None:
        spread = Scripted(429, {}, headers={"Retry-After": "1"})
        with ScriptedServer(spread, saying(LAST)) as server:
            assert way.run(server, NODES[0], way.rest, retry_budget=0) == []

    side_by_side(check, WAYS)


def test_an_interrupted_session_is_logged_once(
    way: Way, caplog: pytest.LogCaptureFixture
) -> None:
    async def read_twice(session: Any) -> None:
        for _ in range(2):
            with pytest.raises(errors.StreamInterruptedError):
                await way.rest(session)

    caplog.set_level(logging.DEBUG)
    with ScriptedServer(saying(close=(1013, "too slow"))) as server:
        way.run(server, NODES[0], read_twice)
    assert caplog.text.count("closed with 1013 too slow") == 1
