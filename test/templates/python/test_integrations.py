"""The clients with other libraries and tools."""

from __future__ import annotations

import asyncio
import gc
import inspect
import os
import socket
import subprocess
import sys
import threading
import typing
import warnings
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone

import httpx
import pytest
import trio
from order_messages import Order, State, Tree
from runtime.package import _any_execution, _async_client, _execution, _sync_client, errors
from scripted_server import Scripted, ScriptedServer
from sdk import FLOW, PATH, AsyncClient, Client

KEY = "0123456789abcdef" * 4
ANSWER = Scripted(body={"value": 3})


def test_inputs_are_given_by_keyword():
    at = datetime(2026, 1, 1, tzinfo=timezone.utc)
    with ScriptedServer(ANSWER) as server:
        client = Client(api_key=KEY, base_url=server.url)
        assert client.price(title="a", at=at, state="STATE_PAID", timeout=9).value == 3
        client.price(Order(title="b"), timeout=9)
        client.price()
    assert [request.body for request in server.requests] == [
        b'{"title":"a","state":"STATE_PAID","at":"2026-01-01T00:00:00Z"}',
        b'{"title":"b"}',
        b"{}",
    ]


@pytest.mark.parametrize(
    ("message", "given", "name"),
    [
        ([], {"titel": "a"}, "titel"),
        ([], {"title": "a", "timout": 1}, "timout"),
        ([Order()], {"timout": 1}, "timout"),
        ([Order()], {"title": "a"}, "title"),
        ([None], {"title": "a"}, "title"),
    ],
)
def test_misspelt_arguments_are_type_errors(message, given, name):
    client = Client(api_key=KEY, base_url="http://svc.invalid")
    with pytest.raises(TypeError, match=f"^got an unexpected keyword .* '{name}'"):
        client.price(*message, **given)


def test_a_misspelt_field_is_neither_an_option_nor_a_field():
    client = Client(api_key=KEY, base_url="http://svc.invalid")
    with pytest.raises(TypeError, match="neither an option nor a field of Order$"):
        client.price(titel="a")


@pytest.mark.parametrize(("kind", "end"), [(Client, "close"), (AsyncClient, "aclose")])
def test_errors_of_wrong_arguments_name_the_class_that_users_know(kind, end):
    def names(method, *args, **named):
        with pytest.raises(TypeError, match=rf"^{kind.__name__}\.{method}\(\) "):
            getattr(client, method)(*args, **named)

    client = kind(api_key=KEY, base_url="http://svc.invalid")
    names("__init__", timout=1)
    names("execution", execution_id="f" * 32)
    names("pauses", "WAITING")
    names(end, 1)


def test_the_input_of_another_kind_is_a_message_error():
    client = Client(api_key=KEY, base_url="http://svc.invalid")
    with pytest.raises(errors.MessageError, match="^expected Order, got Tree"):
        client.price(Tree())


def test_none_is_no_message():
    client = Client(api_key=KEY, base_url="http://svc.invalid")
    with pytest.raises(errors.MessageError, match="^expected Order, got None"):
        client.price(None)
    with pytest.raises(errors.MessageError, match="^expected Order, got None"):
        client.watch(None)


def test_annotations_of_every_public_method_can_be_read():
    read = 0
    for module in (_sync_client, _async_client, _execution):
        for _, kind in inspect.getmembers(module, inspect.isclass):
            if kind.__module__ != module.__name__:
                continue
            for name, method in inspect.getmembers(kind, inspect.isfunction):
                if not name.startswith("_") or name == "__init__":
                    typing.get_type_hints(method)
                    read += 1
    assert read > 20


def test_the_handles_of_both_clients_have_all_that_errors_promise():
    def parameters(kind):
        return {
            name: isinstance(each, property) or inspect.signature(each).parameters
            for name, each in inspect.getmembers(kind)
            if not name.startswith("_")
        }

    promised = parameters(_any_execution.AnyExecution)
    assert parameters(_execution.Execution) == promised
    assert parameters(_execution.AsyncExecution) == promised


def test_the_async_client_works_with_trio():
    async def call(url):
        async with AsyncClient(api_key=KEY, base_url=url, retry_delay=0.001) as client:
            return await client.price(Order(state=State.PAID))

    with ScriptedServer(Scripted(503, {}), ANSWER) as server:
        assert trio.run(call, server.url).value == 3
        server.answers = [Scripted(delay=30)]

        async def hang(url):
            async with AsyncClient(api_key=KEY, base_url=url, timeout=0.2) as client:
                await client.price()

        with pytest.raises(errors.TimedOutError):
            trio.run(hang, server.url)

        async def cancel(url):
            with trio.move_on_after(0.2) as scope:
                async with AsyncClient(api_key=KEY, base_url=url) as client:
                    await client.price()
            return scope.cancelled_caught

        assert trio.run(cancel, server.url)


def test_runs_are_followed_with_trio():
    ready, log = {"type": "SESSION_READY"}, {"type": "NODE_LOG", "event_ulid": "1"}
    page, dropped = {"events": [log]}, Scripted(socket=[ready, log], close=(1001, ""))
    opened = Scripted(socket=[ready, log, {"type": "NODE_LOG", "event_ulid": "2"}])

    async def follow(url):
        async with AsyncClient(api_key=KEY, base_url=url, retry_delay=0.001) as client:
            async with client._execution(FLOW, "f" * 32).follow() as events:
                given = [(await anext(events)).ulid, (await anext(events)).ulid]
                with trio.move_on_after(0.2) as scope:
                    await anext(events)
                return given, scope.cancelled_caught

    answers = [Scripted(body=page), dropped, Scripted(body=page), opened]
    with ScriptedServer(*answers) as server:
        assert trio.run(follow, server.url) == (["1", "2"], True)
        assert server.closed.wait(10)


def test_a_complete_stream_leaves_nothing_to_the_garbage_collector_of_trio():
    head = {"Content-Type": "text/event-stream"}
    body = b'data: {"payload":{"value":3}}\n\ndata: {"is_final":true,"success":true}\n\n'

    async def read(url):
        async with AsyncClient(api_key=KEY, base_url=url) as client:
            for _ in range(2):
                async with client.watch(Order()) as stream:
                    assert [tree.value async for tree in stream] == [3]

    with (
        ScriptedServer(Scripted(body=body, headers=head, keeps_alive=True)) as server,
        warnings.catch_warnings(record=True) as caught,
    ):
        warnings.simplefilter("always")
        trio.run(read, server.url)
        gc.collect()
    assert [str(each.message) for each in caught] == []
    assert len({request.port for request in server.requests}) == 1


def test_live_sessions_work_with_trio():
    ready, word = {"type": "SESSION_READY"}, {"payload": {"value": 3}}
    opened = Scripted(socket=[ready], reply=lambda _: [word])

    async def converse(url):
        async with AsyncClient(api_key=KEY, base_url=url) as client:
            with pytest.raises(LookupError, match="mine"):
                async with client.open_watch() as session:
                    await session.send(Order())
                    assert (await anext(session)).value == 3
                    raise LookupError("mine")
            with trio.move_on_after(0.2) as scope:
                async with client.open_watch() as session:
                    await anext(session)
            return scope.cancelled_caught

    with ScriptedServer(opened) as server:
        assert trio.run(converse, server.url)
        assert server.closed.wait(10)


def test_a_cancelled_send_leaves_no_half_of_a_message_with_trio():
    taking, received = threading.Event(), []

    def take(message):
        taking.wait(30)
        received.append(message["title"][:1])
        return []

    async def converse(url):
        async with AsyncClient(api_key=KEY, base_url=url) as client:
            async with client.open_watch() as session:
                with trio.move_on_after(1) as scope:
                    for _ in range(64):
                        await session.send(Order(title="a" * 300_000))
                taking.set()
                await session.send(Order(title="b"))
                return scope.cancelled_caught

    opened = Scripted(socket=[{"type": "SESSION_READY"}], reply=take)
    with ScriptedServer(opened) as server:
        assert trio.run(converse, server.url)
        assert server.closed.wait(10)
    assert received[0] == "a"
    assert received[-1] == "b"


@pytest.mark.parametrize("opens", ["a stream", "events", "a session"])
def test_what_another_task_reads_can_be_closed_with_trio(opens):
    ready = {"type": "SESSION_READY"}
    script = {
        "a stream": [
            Scripted(body=b"", headers={"Content-Type": "text/event-stream"}, holds=True)
        ],
        "events": [Scripted(body={"events": []}), Scripted(socket=[ready])],
        "a session": [Scripted(socket=[ready])],
    }[opens]

    async def read(items, given):
        given.append([each async for each in items])

    async def close(server):
        given = []
        async with AsyncClient(api_key=KEY, base_url=server.url) as client:
            with trio.fail_after(10):
                async with trio.open_nursery() as tasks:
                    if opens == "a session":
                        async with client.open_watch() as session:
                            tasks.start_soon(read, session, given)
                            await trio.sleep(0.1)
                    else:
                        items = (
                            client._stream(FLOW, {}, {})
                            if opens == "a stream"
                            else client._execution(FLOW, "f" * 32).follow()
                        )
                        tasks.start_soon(read, items, given)
                        await trio.to_thread.run_sync(server.wait_for, len(script))
                        await trio.sleep(0.1)
                        await items.aclose()
        return given

    with ScriptedServer(*script) as server:
        assert trio.run(close, server) == [[]]


def test_websockets_are_imported_when_they_are_used():
    program = """
import sys
import runtime.package._async_client, runtime.package._sync_client
assert "websockets" not in sys.modules
"""
    path = {"PYTHONPATH": os.pathsep.join(sys.path)}
    subprocess.run([sys.executable, "-c", program], check=True, env=path)


def test_http2_is_used_on_request(monkeypatch):
    assert Client(api_key=KEY, base_url="http://svc.invalid", http2=True)
    monkeypatch.setitem(sys.modules, "h2", None)
    monkeypatch.setenv("HTTP_PROXY", "http://another.invalid")
    with pytest.raises(errors.ConfigurationError, match="extra http2"):
        Client(api_key=KEY, base_url="http://svc.invalid", http2=True)


def test_threads_share_no_http2_connection():
    def clients_of_two_threads(*, http2):
        client = Client(api_key=KEY, base_url="http://svc.invalid", http2=http2)
        own = client._drive._client()
        with ThreadPoolExecutor() as threads:
            other = threads.submit(client._drive._client).result()
        assert client._drive._client() is own
        client.close()
        return own, other

    first, second = clients_of_two_threads(http2=True)
    assert first is not second
    assert first.is_closed
    assert second.is_closed
    first, second = clients_of_two_threads(http2=False)
    assert first is second


@pytest.mark.parametrize("is_http2", [(False, True), (True, False)])
def test_clients_with_connections_of_their_own_close_at_the_same_time(is_http2):
    answer = Scripted(body={"value": 3}, keeps_alive=True)

    async def close(url):
        clients = [
            AsyncClient(api_key=KEY, base_url=url, http2=http2) for http2 in is_http2
        ]
        for client in clients:
            await client.price(Order())
        await asyncio.gather(*(client.aclose() for client in clients))

    with ScriptedServer(answer, answer) as server:
        asyncio.run(close(server.url))


def test_streams_and_streamed_input_use_http_1_1(monkeypatch):
    used = []
    stream = httpx.Client.stream

    def record(http, *args, **named):
        used.append(http._transport._pool._http2)
        return stream(http, *args, **named)

    monkeypatch.setattr(httpx.Client, "stream", record)
    with (
        ScriptedServer(Scripted(401, {})) as server,
        Client(api_key=KEY, base_url=server.url, http2=True) as client,
    ):
        for call in (
            lambda: client.price(Order()),
            lambda: list(client.watch(Order())),
            lambda: list(client.upload_watch([Order()])),
            lambda: client.watch_stream("a").upload([Order()]),
        ):
            with pytest.raises(errors.UnauthorizedError):
                call()
    assert used == [True, False, False, False]


def test_proxies_of_the_environment_are_used(monkeypatch):
    monkeypatch.delenv("NO_PROXY")
    monkeypatch.delenv("no_proxy")
    with ScriptedServer(ANSWER) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        client = Client(api_key=KEY, base_url="http://svc.invalid")
        assert client.price().value == 3
    assert proxy.requests[0].path == f"http://svc.invalid{PATH}"
    monkeypatch.setenv("HTTP_PROXY", "no-scheme://")
    with pytest.raises(errors.ConfigurationError, match="proxies of the environment"):
        Client(api_key=KEY, base_url="http://svc.invalid")


def test_sockets_use_proxies_of_the_environment(monkeypatch):
    monkeypatch.delenv("NO_PROXY")
    monkeypatch.delenv("no_proxy")
    last = {"type": "FLOW_COMPLETED", "event_ulid": "1"}
    socket = Scripted(socket=[{"type": "SESSION_READY"}, last])
    page = Scripted(body={"events": []})
    with ScriptedServer(page, socket, page) as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        client = Client(api_key=KEY, base_url="http://svc.invalid", http2=True)
        with client._execution(FLOW, "f" * 32).follow() as events:
            assert [event.ulid for event in events] == ["1"]
    path = "http://svc.invalid/invocations/v1/debug-stream"
    assert proxy.requests[1].path.startswith(path)


def test_compressed_answers_are_requested_and_read():
    seen = {}

    def answer(request):
        seen.update(request.headers)
        return httpx.Response(200, json={"value": 3})

    http = httpx.Client(transport=httpx.MockTransport(answer))
    Client(api_key=KEY, base_url="http://svc.invalid", http_client=http).price()
    assert "gzip" in seen["accept-encoding"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_clients_of_a_forked_process_have_connections_of_their_own():
    parent = Client(api_key=KEY, base_url="http://svc.invalid")
    inherited = parent._drive._client()
    mine, theirs = socket.socketpair()
    child = os.fork()
    if child == 0:
        client = Client(api_key=KEY, base_url="http://svc.invalid")
        clients = (client, parent)
        shares = any(each._drive._client() is inherited for each in clients)
        theirs.sendall(b"shared" if shares else b"own")
        os._exit(0)
    os.waitpid(child, 0)
    assert mine.recv(10) == b"own"
    mine.close()
    theirs.close()
