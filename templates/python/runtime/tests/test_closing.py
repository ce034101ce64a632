"""Tests of closed clients: every operation fails with the same error."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from threading import Thread
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from scripted_server import Scripted, ScriptedServer
from sdk import FLOW, STREAMS, AsyncClient, Client, errors

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KEY = "0123456789abcdef" * 4
RUN = "d" * 32
NODES = [sample for sample in STREAMS if sample.open is not None]
RUNNING = {"execution_id": RUN, "status": "RUNNING"}
LATER = Scripted(503, {}, headers={"Retry-After": "20"})
HANGING = Scripted(
    body=b": nothing\n\n", headers={"Content-Type": "text/event-stream"}, holds=True
)
READY = {"type": "SESSION_READY", "execution_id": RUN}
PAGE = Scripted(body={"events": []})
BLOCKING: list[tuple[str, list[Scripted]]] = [
    ("wait", [Scripted(body=RUNNING)]),
    ("get", [LATER]),
    ("follow", [PAGE, Scripted(socket=[READY])]),
]
if STREAMS:
    BLOCKING.append(("stream", [HANGING]))
if NODES:
    BLOCKING.append(("session", [Scripted(socket=[READY])]))


def closed() -> Any:
    """Expect the error of a closed client."""
    return pytest.raises(errors.ConfigurationError, match="the client is closed")


@contextlib.contextmanager
def blocking(url: str, *, is_own: bool) -> Iterator[Client]:
    """Create a client, with or without a custom HTTP client."""
    with httpx.Client() as http:
        own = http if is_own else None
        yield Client(api_key=KEY, base_url=url, http_client=own)


def use(client: Client, what: str) -> Any:
    """Perform a blocking operation."""
    execution = client._execution(FLOW, RUN)
    if what in {"wait", "get"}:
        return getattr(execution, what)()
    if what == "events":
        return list(execution.events())
    if what == "follow":
        return list(execution.follow())
    if what == "stream":
        return list(getattr(client, STREAMS[0].name)(STREAMS[0].input))
    with getattr(client, str(NODES[0].open))() as session:
        return list(session)


async def use_async(client: AsyncClient, what: str) -> Any:
    """Perform a blocking operation in a task."""
    execution = client._execution(FLOW, RUN)
    if what in {"wait", "get"}:
        return await getattr(execution, what)()
    if what == "events":
        return [event async for event in execution.events()]
    if what == "follow":
        return [event async for event in execution.follow()]
    if what == "stream":
        stream = getattr(client, STREAMS[0].name)(STREAMS[0].input)
        return [message async for message in stream]
    async with getattr(client, str(NODES[0].open))() as session:
        return [message async for message in session]


@pytest.mark.parametrize("is_own", [False, True])
@pytest.mark.parametrize(("what", "answers"), BLOCKING)
def test_closing_the_client_unblocks_other_threads(
    what: str, answers: list[Scripted], is_own: bool
) -> None:
    with (
        ScriptedServer(*answers) as server,
        blocking(server.url, is_own=is_own) as client,
        ThreadPoolExecutor() as threads,
    ):
        waiting = threads.submit(use, client, what)
        server.wait_for(len(answers))
        time.sleep(0.2)
        client.close()
        with closed():
            waiting.result(30)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the platform has no fork")
@pytest.mark.parametrize(("what", "answers"), BLOCKING[2:])
def test_closing_in_a_forked_process_leaves_the_parent_reading(
    what: str, answers: list[Scripted]
) -> None:
    with (
        ScriptedServer(*answers) as server,
        blocking(server.url, is_own=False) as client,
        ThreadPoolExecutor() as threads,
    ):
        waiting = threads.submit(use, client, what)
        server.wait_for(len(answers))
        time.sleep(0.2)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
        if child == 0:
            client.close()
            os._exit(0)
        os.waitpid(child, 0)
        time.sleep(0.6)
        # If its stream had been interrupted, the follower would have reconnected.
        assert (waiting.done(), len(server.requests)) == (False, len(answers))
        client.close()
        with closed():
            waiting.result(30)


@pytest.mark.parametrize("is_own", [False, True])
@pytest.mark.parametrize(
    ("what", "answers"), [*BLOCKING, ("get", [Scripted(delay=20)])]
)
def test_closing_the_client_unblocks_other_tasks(
    what: str, answers: list[Scripted], is_own: bool
) -> None:
    async def close(url: str) -> None:
        async with httpx.AsyncClient() as http:
            own = http if is_own else None
            client = AsyncClient(api_key=KEY, base_url=url, http_client=own)
            waiting = asyncio.create_task(use_async(client, what))
            await asyncio.to_thread(server.wait_for, len(answers))
            await asyncio.sleep(0.2)
            await client.aclose()
            with closed():
                await asyncio.wait_for(waiting, 30)

    with ScriptedServer(*answers) as server:
        asyncio.run(close(server.url))


@pytest.mark.parametrize("is_own", [False, True])
@pytest.mark.parametrize("what", [*(name for name, _ in BLOCKING), "events"])
def test_a_closed_client_sends_nothing(what: str, is_own: bool) -> None:
    async def fail(url: str) -> None:
        async with httpx.AsyncClient() as http:
            own = http if is_own else None
            client = AsyncClient(api_key=KEY, base_url=url, http_client=own)
            await client.aclose()
            with closed():
                await use_async(client, what)

    with ScriptedServer(Scripted(500, {})) as server:
        with blocking(server.url, is_own=is_own) as client:
            client.close()
            with closed() as caught:
                use(client, what)
        assert caught.value.attempts == 0
        asyncio.run(fail(server.url))
        assert server.requests == []


@pytest.mark.skipif(not NODES, reason="the client has no pipeline nodes")
def test_a_session_of_a_closed_client_rejects_messages() -> None:
    async def send(url: str) -> None:
        client = AsyncClient(api_key=KEY, base_url=url)
        async with getattr(client, str(NODES[0].open))() as session:
            await client.aclose()
            with closed():
                await session.send(NODES[0].input)

    with ScriptedServer(Scripted(socket=[READY])) as server:
        client = Client(api_key=KEY, base_url=server.url)
        with getattr(client, str(NODES[0].open))() as session:
            client.close()
            with closed():
                session.send(NODES[0].input)
        asyncio.run(send(server.url))


def test_the_error_of_an_aborted_call_has_its_idempotency_key() -> None:
    async def close(url: str) -> Any:
        client = AsyncClient(api_key=KEY, base_url=url)
        waiting = asyncio.create_task(client._run(FLOW, {}, {}))
        await asyncio.to_thread(server.wait_for, 1)
        await client.aclose()
        with closed() as caught:
            await waiting
        return caught.value

    with ScriptedServer(Scripted(delay=20)) as server:
        error = asyncio.run(close(server.url))
    assert (error.attempts, error.idempotency_key) == (1, server.keys()[0])


def test_clients_can_be_closed_and_created_during_client_creation(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    create = httpx.create_ssl_context
    first = Client(api_key=KEY, base_url="http://svc.invalid")
    others: list[Client] = []

    def interrupt() -> Any:
        """Act as a signal handler might."""
        monkeypatch.setattr(httpx, "create_ssl_context", create)
        first.close()
        others.append(Client(api_key=KEY, base_url=server.url))
        return create()

    def begin() -> None:
        others.append(Client(api_key=KEY, base_url=server.url))

    # A new configuration, for which no connections or certificates exist yet.
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.invalid")
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path))
    monkeypatch.setattr(httpx, "create_ssl_context", interrupt)
    with ScriptedServer(Scripted(body=RUNNING)) as server:
        thread = Thread(target=begin, daemon=True)
        thread.start()
        thread.join(10)
        assert not thread.is_alive()
        for client in others:
            assert client._execution(FLOW, RUN).get().status == "RUNNING"
            client.close()
    assert len(server.requests) == 2
