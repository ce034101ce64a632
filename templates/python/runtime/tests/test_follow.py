"""Tests of following runs against a scripted server."""

from __future__ import annotations

import asyncio
import importlib
import logging
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import Queue
from threading import Event
from typing import Any

import httpx
import pytest
from scripted_server import Scripted, ScriptedServer
from sdk import FLOW, AsyncClient, Client, errors
from side_by_side import side_by_side

KEY = "0123456789abcdef" * 4
RUN = "f" * 32
READY = {"type": "SESSION_READY"}


def page(*events: dict[str, Any], after: str | None = None) -> Scripted:
    """Respond with a page of events."""
    body: dict[str, Any] = {"events": list(events)}
    if after is not None:
        body["next_cursor"] = after
    return Scripted(body=body)


def event(ulid: str, kind: str = "NODE_LOG") -> dict[str, Any]:
    """Return an event."""
    return {"type": kind, "event_ulid": ulid, "timestamp_ms": 1}


def last(ulid: str) -> dict[str, Any]:
    """Return the last event of a run."""
    return event(ulid, "FLOW_COMPLETED")


def record(status: str) -> Scripted:
    """Respond with the record of the run."""
    return Scripted(body={"execution_id": RUN, "status": status})


def following(*messages: Any, close: tuple[int, str] | None = None) -> Scripted:
    """Open a socket and send messages."""
    return Scripted(socket=[READY, *messages], close=close)


BLOCKED = (
    page(event("1")),
    *(Scripted(426, {"message": "not a WebSocket"}), page(event("1"))) * 2,
    Scripted(426, {"message": "not a WebSocket"}),
)
"""The responses after which the client polls pages instead of a socket."""


def pause_for(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the delay between polls of the pages."""
    set_seconds("_PAGES_DELAY", seconds, monkeypatch)


def set_seconds(name: str, seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Override a constant of the follower."""
    follow = importlib.import_module("._follow", errors.__package__)
    monkeypatch.setattr(follow, name, seconds)


@dataclass(frozen=True, kw_only=True)
class Way:
    """Follows through the synchronous or the asyncio client."""

    is_async: bool

    def follow(
        self, server: ScriptedServer, count: int = 100, **options: Any
    ) -> list[str]:
        """Return the ids of up to ``count`` events."""
        delay = options.pop("retry_delay", 0.001)
        settings: Any = {"api_key": KEY, "base_url": server.url, "retry_delay": delay}
        if self.is_async:
            return asyncio.run(follow_async(settings, count, options))
        given: list[str] = []
        with (
            Client(**settings) as client,
            client._execution(FLOW, RUN).follow(**options) as events,
        ):
            for each in events:
                given.append(each.ulid)
                if len(given) == count:
                    break
        return given


async def follow_async(settings: Any, count: int, options: Any) -> list[str]:
    """Return the ids of up to ``count`` events."""
    given: list[str] = []
    async with (
        AsyncClient(**settings) as client,
        client._execution(FLOW, RUN).follow(**options) as events,
    ):
        async for each in events:
            given.append(each.ulid)
            if len(given) == count:
                break
    return given


WAYS = [Way(is_async=False), Way(is_async=True)]


@pytest.fixture(params=WAYS, ids=["sync", "async"])
def way(request: pytest.FixtureRequest) -> Way:
    """Follow through either client."""
    chosen: Way = request.param
    return chosen


def test_pages_are_read_before_the_socket(way: Way) -> None:
    with ScriptedServer(
        page(event("1"), after="c1"),
        page(event("2")),
        following(event("1"), event("2"), event("3", "OF_THE_FUTURE"), last("4")),
    ) as server:
        assert way.follow(server) == ["1", "2", "3", "4"]
    assert "cursor=c1" in server.requests[1].path
    socket = server.requests[2]
    assert socket.path == f"/invocations/v1/debug-stream?session_id={RUN}&decode=true"
    assert socket.headers["authorization"] == f"Bearer {KEY}"
    assert server.closed.wait(10)


@pytest.mark.parametrize("is_set", [True, False])
def test_stalled_requests_do_not_block_following(
    monkeypatch: pytest.MonkeyPatch, *, is_set: bool
) -> None:
    calls = importlib.import_module("._calls", errors.__package__)
    monkeypatch.setattr(calls, "LONGEST_POLL", 30 if is_set else 2)

    def check(way: Way) -> None:
        options: dict[str, Any] = {"attempt_timeout": 2} if is_set else {}
        hangs = Scripted(delay=60)
        began = time.monotonic()
        with ScriptedServer(
            page(event("1"), after="c1"),
            hangs,
            page(),
            following(close=(1000, "")),
            hangs,
            page(last("2")),
        ) as server:
            assert way.follow(server, **options) == ["1", "2"]
            assert len(server.requests) == 6
            assert time.monotonic() - began < 50

    side_by_side(check, WAYS)


def test_a_finished_run_opens_no_socket(way: Way) -> None:
    with ScriptedServer(page(event("1"), event("2", "FLOW_FAILED"))) as server:
        assert way.follow(server) == ["1", "2"]
    assert len(server.requests) == 1


def test_reconnecting_resumes_from_the_last_page(way: Way) -> None:
    with ScriptedServer(
        page(event("1"), after="c1"),
        page({"type": "NODE_LOG"}),
        following(event("1"), event("2"), close=(1001, "the service is shutting down")),
        page({"type": "NODE_LOG"}, event("2"), event("3")),
        following(event("3"), last("4")),
    ) as server:
        assert way.follow(server) == ["1", "", "2", "3", "4"]
    assert "cursor=c1" in server.requests[3].path
    assert len(server.requests) == 5


def test_a_finished_run_without_a_final_event_ends_the_stream(
    way: Way,
) -> None:
    with ScriptedServer(
        page(event("1"), after="c1"),
        page(),
        following(event("1"), close=(1000, "")),
        record("COMPLETED"),
        page(event("1"), event("2")),
    ) as server:
        assert way.follow(server) == ["1", "2"]
    assert server.requests[3].path == f"/invocations/v1/executions/{RUN}"
    assert "cursor=c1" in server.requests[4].path
    assert len(server.requests) == 5


def test_a_normal_close_before_the_run_ends_is_retried(way: Way) -> None:
    closed = (following(close=(1000, "bye")), record("RUNNING"))
    with (
        ScriptedServer(*(page(), *closed) * 9) as server,
        pytest.raises(errors.StreamInterruptedError, match="1000 bye") as caught,
    ):
        way.follow(server, max_retries=1, retry_delay=0)
    assert caught.value.execution_id == RUN
    assert len(server.requests) == 27


def test_unknown_event_types_are_kept() -> None:
    events = [
        event("1", "HITL_PAUSED") | {"pause_id": "p-1"},
        event("2", "OF_THE_FUTURE"),
        event("3", "FLOW_FAILED") | {"error": "tired"},
    ]
    with (
        ScriptedServer(page(*events)) as server,
        Client(api_key=KEY, base_url=server.url) as client,
    ):
        paused, newer, failed = client._execution(FLOW, RUN).follow()
    assert isinstance(paused.type, str)
    assert type(newer.type) is str
    assert [f"{each.type}" for each in (paused, newer, failed)] == [
        "HITL_PAUSED",
        "OF_THE_FUTURE",
        "FLOW_FAILED",
    ]
    assert paused.pause_id == "p-1"
    assert (newer.pause_id, newer.error_message) == (None, None)
    assert failed.error_message == "tired"


def test_reconnects_without_new_events_are_limited(way: Way) -> None:
    dropped = following(close=(1011, f"broken by {KEY}"))
    with (
        ScriptedServer(*(page(), dropped) * 9) as server,
        pytest.raises(errors.StreamInterruptedError, match="1011 broken by") as caught,
    ):
        way.follow(server, max_retries=1, retry_delay=0)
    assert caught.value.execution_id == RUN
    assert caught.value.attempts == 9
    assert KEY not in f"{caught.value!r}"
    assert len(server.requests) == 18


def test_a_rejected_handshake_maps_to_its_error(way: Way) -> None:
    refusal = Scripted(429, {"error": "too_many_followers", "message": "too many"})
    with (
        ScriptedServer(page(), refusal) as server,
        pytest.raises(errors.RateLimitedError, match="too many") as caught,
    ):
        way.follow(server, max_retries=0)
    assert caught.value.code == "too_many_followers"
    assert caught.value.execution_id == RUN


@pytest.mark.parametrize("answer", [Scripted(body={}), Scripted(204, b"")])
def test_a_2xx_without_an_upgrade_is_an_error(way: Way, answer: Scripted) -> None:
    with (
        ScriptedServer(page(), answer) as server,
        pytest.raises(errors.InvalidResponseError, match="not open a WebS") as caught,
    ):
        way.follow(server, max_retries=0)
    assert caught.value.status == answer.status
    assert caught.value.execution_id == RUN
    assert len(server.requests) == 2


def test_a_failed_handshake_is_retried(way: Way) -> None:
    with ScriptedServer(
        page(event("1")),
        Scripted(503, {}),
        page(event("1")),
        following(event("1"), last("2")),
    ) as server:
        assert way.follow(server) == ["1", "2"]
    assert len(server.requests) == 4


def test_a_gap_in_the_events_is_filled_from_pages(way: Way) -> None:
    with ScriptedServer(
        page(event("1")),
        following(event("3"), last("4")),
        page(event("1"), event("2"), event("3")),
    ) as server:
        assert way.follow(server) == ["1", "2", "3", "4"]
    assert len(server.requests) == 3


def test_a_socket_that_is_not_ready_times_out() -> None:
    def check(way: Way) -> None:
        with (
            ScriptedServer(page(), Scripted(socket=[])) as server,
            pytest.raises(errors.TimedOutError) as caught,
        ):
            way.follow(server, timeout=2, max_retries=0)
        assert caught.value.execution_id == RUN
        assert server.closed.wait(10)

    side_by_side(check, WAYS)


def test_fragmented_messages_are_joined_and_pings_answered(way: Way) -> None:
    text = b'{"type":"FLOW_COMPLETED","event_ulid":"1"}'
    parts = [
        bytes([0x01, 10]) + text[:10],
        b"\x89\x02hi",
        bytes([0x80, len(text) - 10]) + text[10:],
    ]
    with ScriptedServer(page(), following(*parts), page()) as server:
        assert way.follow(server) == ["1"]


def test_a_malformed_event_is_an_error(way: Way) -> None:
    with (
        ScriptedServer(page(), following(["no event"])) as server,
        pytest.raises(errors.InvalidResponseError, match="not a JSON object"),
    ):
        way.follow(server)


def test_leaving_the_context_closes_the_connection(way: Way) -> None:
    with ScriptedServer(page(), following(event("1")), page()) as server:
        assert way.follow(server, count=1) == ["1"]
        assert server.closed.wait(10)


def test_no_request_is_sent_before_the_first_read() -> None:
    with (
        ScriptedServer(page()) as server,
        Client(api_key=KEY, base_url=server.url) as client,
        client._execution(FLOW, RUN).follow(),
    ):
        pass
    assert server.requests == []


def test_a_cancelled_task_closes_the_connection() -> None:
    async def follow(url: str, given: asyncio.Queue[str]) -> None:
        async with AsyncClient(api_key=KEY, base_url=url) as client:
            async for each in client._execution(FLOW, RUN).follow():
                await given.put(each.ulid)

    async def cancel(url: str) -> None:
        given: asyncio.Queue[str] = asyncio.Queue()
        task = asyncio.create_task(follow(url, given))
        assert [await given.get(), await given.get()] == ["1", "2"]
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    socket = following(event("1"), event("2"))
    with ScriptedServer(page(event("1")), socket) as server:
        asyncio.run(cancel(server.url))
        assert server.closed.wait(10)


def test_a_transport_without_a_network_stream_is_an_error() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        is_socket = "debug-stream" in str(request.url)
        return httpx.Response(101) if is_socket else httpx.Response(200, json=body)

    body: dict[str, Any] = {"events": []}
    http = httpx.Client(transport=httpx.MockTransport(answer))
    client = Client(api_key=KEY, base_url="http://svc.invalid", http_client=http)
    with pytest.raises(errors.InvalidResponseError, match="does not open a WebSocket"):
        next(client._execution(FLOW, RUN).follow())


def test_a_read_after_a_cancelled_read_is_an_error() -> None:
    async def read(server: ScriptedServer) -> None:
        async with AsyncClient(api_key=KEY, base_url=server.url) as client:
            async with client._execution(FLOW, RUN).follow() as events:
                assert (await anext(events)).ulid == "1"
                waiting = asyncio.ensure_future(anext(events))
                await asyncio.to_thread(server.wait_for, 2)
                await asyncio.sleep(0.2)
                waiting.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await waiting
                with pytest.raises(
                    errors.StreamInterruptedError, match="cancel"
                ) as lost:
                    await anext(events)
            assert lost.value.execution_id == RUN
            assert [each async for each in events] == []

    with ScriptedServer(page(event("1")), following()) as server:
        asyncio.run(read(server))
        assert server.closed.wait(10)


def test_closing_ends_iteration_in_another_thread() -> None:
    with (
        ScriptedServer(page(), following(event("1")), page()) as server,
        Client(api_key=KEY, base_url=server.url) as client,
        ThreadPoolExecutor() as threads,
    ):
        events = client._execution(FLOW, RUN).follow()
        given: Queue[str] = Queue()

        def read() -> None:
            for each in events:
                given.put(each.ulid)

        reader = threads.submit(read)
        assert given.get(timeout=60) == "1"
        time.sleep(0.1)
        events.close()
        reader.result(10)
        assert given.empty()
        assert server.closed.wait(10)
        assert len(server.requests) == 3


def test_a_stream_closed_by_another_thread_is_not_retried() -> None:
    closed = Event()
    with (
        ScriptedServer(Scripted(503, {}, after=closed)) as server,
        Client(api_key=KEY, base_url=server.url) as client,
        ThreadPoolExecutor() as threads,
    ):
        events = client._execution(FLOW, RUN).follow()
        reader = threads.submit(list, events)
        server.wait_for(1)
        events.close()
        closed.set()
        assert reader.result(10) == []
        assert len(server.requests) == 1


def test_closing_ends_iteration_in_another_task() -> None:
    async def read(events: Any) -> list[str]:
        return [each.ulid async for each in events]

    async def close(server: ScriptedServer) -> None:
        async with AsyncClient(api_key=KEY, base_url=server.url) as client:
            events = client._execution(FLOW, RUN).follow()
            reader = asyncio.create_task(read(events))
            await asyncio.to_thread(server.wait_for, 2)
            await asyncio.sleep(0.1)
            await events.aclose()
            assert await asyncio.wait_for(reader, 10) == []

    with ScriptedServer(page(), following()) as server:
        asyncio.run(close(server))
        assert server.closed.wait(10)


def test_polled_pages_may_fail_eight_times_in_a_row(
    way: Way, monkeypatch: pytest.MonkeyPatch
) -> None:
    pause_for(0, monkeypatch)
    outage = [Scripted(502, {})] * 8
    with (
        ScriptedServer(
            *BLOCKED,
            *outage,
            page(event("1"), event("2")),
            *outage,
            Scripted(502, {}),
        ) as server,
        pytest.raises(errors.UpstreamUnavailableError) as caught,
    ):
        way.follow(server, max_retries=1, retry_delay=0)
    assert caught.value.attempts == 9
    assert len(server.requests) == 6 + 8 + 1 + 9


def outage() -> tuple[Scripted, ...]:
    """Fail pages and a record while a run is followed, and then its record once."""
    away = Scripted(502, {})
    return (
        page(event("1"), after="c1"),
        *(away,) * 2,
        page(),
        following(event("2"), close=(1000, "bye")),
        *(away,) * 3,
        page(event("1"), event("2"), last("3")),
        away,
        record("COMPLETED"),
    )


def test_following_does_not_use_the_retry_budget() -> None:
    with (
        ScriptedServer(*outage()) as server,
        Client(
            api_key=KEY, base_url=server.url, retry_delay=0, retry_budget=1
        ) as client,
    ):
        run = client._execution(FLOW, RUN)
        assert [each.ulid for each in run.follow()] == ["1", "2", "3"]
        assert run.get().status == "COMPLETED"
    assert len(server.requests) == 11


def test_async_following_does_not_use_the_retry_budget() -> None:
    async def follow(url: str) -> None:
        async with AsyncClient(
            api_key=KEY, base_url=url, retry_delay=0, retry_budget=1
        ) as client:
            run = client._execution(FLOW, RUN)
            given = [each.ulid async for each in run.follow()]
            assert given == ["1", "2", "3"]
            assert (await run.get()).status == "COMPLETED"

    with ScriptedServer(*outage()) as server:
        asyncio.run(follow(server.url))
    assert len(server.requests) == 11


def test_a_long_retry_after_from_a_proxy_is_ignored(way: Way) -> None:
    refused = Scripted(503, b"<html>no</html>", {"Retry-After": "3600"})
    with ScriptedServer(
        *(page(event("1")), refused) * 3, page(event("1"), last("2"))
    ) as server:
        assert way.follow(server) == ["1", "2"]
    assert len(server.requests) == 7


@pytest.mark.parametrize("limits", [["constant"], ["timeout", "attempt_timeout"]])
def test_silent_sockets_fall_back_to_polling_pages(
    limits: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if limits == ["constant"]:
        set_seconds("_READY_WITHIN", 0.3, monkeypatch)

    def check(way: Way, limit: str) -> None:
        options: dict[str, Any] = {} if limit == "constant" else {limit: 2}
        silent = Scripted(socket=[])
        with ScriptedServer(
            *(page(event("1")), silent) * 3, page(event("1"), last("2"))
        ) as server:
            assert way.follow(server, **options) == ["1", "2"]
        assert len(server.requests) == 7

    side_by_side(check, WAYS, limits)


def test_a_socket_that_is_not_ready_fails_when_retries_are_disabled(
    way: Way, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_seconds("_READY_WITHIN", 0.2, monkeypatch)
    with (
        ScriptedServer(page(), Scripted(socket=[])) as server,
        pytest.raises(errors.TimedOutError, match="was not ready in time") as caught,
    ):
        way.follow(server, max_retries=0)
    assert caught.value.execution_id == RUN
    assert server.closed.wait(10)


def test_sockets_are_retried_periodically_while_polling_pages(
    way: Way, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_seconds("_PAGES_FOR", 0, monkeypatch)
    pages = (page(event("1")), record("RUNNING"))
    refusals = [Scripted(status, b"<html>no</html>") for status in (403, 401, 503) * 3]
    attempts = [each for refusal in refusals for each in (*pages, refusal)]
    with ScriptedServer(
        *BLOCKED, *attempts, *pages, following(event("1"), last("2"))
    ) as server:
        assert way.follow(server) == ["1", "2"]
    assert len(server.requests) == 6 + 27 + 3


def test_no_socket_is_retried_within_a_minute_of_polling(
    way: Way, monkeypatch: pytest.MonkeyPatch
) -> None:
    pause_for(0, monkeypatch)
    pages = (page(event("1")), record("RUNNING")) * 5
    with ScriptedServer(*BLOCKED, *pages, page(last("2"))) as server:
        assert way.follow(server) == ["1", "2"]
    assert len(server.requests) == 17


def test_closing_interrupts_the_delay_between_pages(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    pause_for(3_600, monkeypatch)
    with (
        ScriptedServer(*BLOCKED, page(), record("RUNNING")) as server,
        Client(api_key=KEY, base_url=server.url, retry_delay=0) as client,
        ThreadPoolExecutor() as threads,
    ):
        events = client._execution(FLOW, RUN).follow()
        reader = threads.submit(lambda: [each.ulid for each in events])
        server.wait_for(8)
        events.close()
        assert reader.result(60) == ["1"]
    assert len(server.requests) == 8
    assert "reading pages instead: not a WebSocket" in caplog.text


def test_closing_interrupts_the_delay_between_pages_in_another_task(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def read(events: Any) -> list[str]:
        return [each.ulid async for each in events]

    async def close(server: ScriptedServer) -> None:
        settings: Any = {"api_key": KEY, "base_url": server.url, "retry_delay": 0}
        async with AsyncClient(**settings) as client:
            events = client._execution(FLOW, RUN).follow()
            reader = asyncio.create_task(read(events))
            await asyncio.to_thread(server.wait_for, 8)
            await events.aclose()
            assert await asyncio.wait_for(reader, 60) == ["1"]

    pause_for(3_600, monkeypatch)
    with ScriptedServer(*BLOCKED, page(), record("RUNNING")) as server:
        asyncio.run(close(server))
    assert len(server.requests) == 8


def test_closing_the_client_ends_iteration_in_another_thread() -> None:
    with (
        ScriptedServer(page(event("1")), following()) as server,
        Client(api_key=KEY, base_url=server.url, retry_delay=0) as client,
        ThreadPoolExecutor() as threads,
    ):
        events = client._execution(FLOW, RUN).follow()
        reader = threads.submit(list, events)
        server.wait_for(2)
        time.sleep(0.2)
        client.close()
        with pytest.raises(errors.ConfigurationError, match="client is closed"):
            reader.result(10)


def test_an_oversized_message_is_an_error(way: Way) -> None:
    # The header of a 64 MiB text frame.
    announced = b"\x81\x7f" + (64 * 1024 * 1024).to_bytes(8, "big")
    with (
        ScriptedServer(page(), following(announced)) as server,
        pytest.raises(
            errors.InvalidResponseError, match="larger than 32 MiB"
        ) as caught,
    ):
        way.follow(server)
    assert caught.value.execution_id == RUN
