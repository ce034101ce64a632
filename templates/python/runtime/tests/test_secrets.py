"""Tests that the API key appears only in the ``Authorization`` header."""

from __future__ import annotations

import asyncio
import logging
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from scripted_server import Scripted, ScriptedServer
from sdk import FLOW, AsyncClient, Client, errors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

KEY = "0123456789abcdef" * 4
RUN = "a" * 32


def call_blocking(work: Callable[[Any], Any], url: str, **settings: Any) -> Any:
    """Run ``work`` with the synchronous client."""
    with Client(base_url=url, retry_delay=0, **settings) as client:
        return work(client)


def call_async(work: Callable[[Any], Any], url: str, **settings: Any) -> Any:
    """Run ``work`` with the asyncio client."""

    async def call() -> Any:
        async with AsyncClient(base_url=url, retry_delay=0, **settings) as client:
            return await work(client)

    return asyncio.run(call())


@pytest.fixture(params=[call_blocking, call_async], ids=["sync", "async"])
def call(request: pytest.FixtureRequest) -> Any:
    """One of the clients."""
    return request.param


def run(client: Any) -> Any:
    """Run the flow."""
    return client._run(FLOW, {"ask": "a"}, {})


def ended(output: Any) -> Scripted:
    """Respond with a completed run."""
    result = {"success": True, "output": output}
    return Scripted(202, {"execution_id": RUN, "result": result})


def chain(error: BaseException | None) -> Iterator[BaseException]:
    """Iterate over an error, its causes and its contexts."""
    if error is not None:
        yield error
        yield from chain(error.__cause__)
        yield from chain(error.__context__)


def variables(error: BaseException) -> Iterator[object]:
    """Iterate over what an error reporter records, except for frames of this file."""
    for each in chain(error):
        yield from (str(each), repr(each), repr(vars(each)))
        for frame, _ in traceback.walk_tb(each.__traceback__):
            if frame.f_code.co_filename != __file__:
                yield from frame.f_locals.values()


def shown(value: object, depth: int = 0) -> str:
    """Show a value and the items of its containers, as error reporters do."""
    if depth > 4 or not isinstance(value, (list, tuple, dict, bytes)):
        return repr(value)
    items: Any = value.items() if isinstance(value, dict) else value
    return repr(value) + "".join(shown(item, depth + 1) for item in items)


@pytest.mark.parametrize("key", ["test", "e", "a"])
def test_short_keys_are_not_redacted(call: Any, key: str) -> None:
    output = {"said": "this is a test of keys"}
    headers = {"X-Said": "a test"}
    script = ended(output)
    with ScriptedServer(Scripted(script.status, script.body, headers)) as server:
        answer = call(run, server.url, api_key=key)
    assert answer.value == output
    assert answer.headers["x-said"] == "a test"
    assert b"this is a test of keys" in answer.body


def test_only_the_key_is_redacted_in_errors(call: Any) -> None:
    body = {"error_message": f"the key {KEY} is wrong", "detail": [{KEY: [KEY, 1]}]}
    head = {"X-Echo": f"Bearer {KEY}"}
    with (
        ScriptedServer(Scripted(400, body, head)) as server,
        pytest.raises(errors.BadRequestError) as caught,
    ):
        call(run, server.url, api_key=KEY)
    error = caught.value
    assert error.body == {
        "error_message": "the key [redacted] is wrong",
        "detail": [{"[redacted]": ["[redacted]", 1]}],
    }
    assert error.headers is not None
    assert error.headers["x-echo"] == "Bearer [redacted]"


@pytest.mark.parametrize(
    "script",
    [
        Scripted(401, {"error": "unauthorized"}),
        Scripted(503, {}),
        Scripted(202, b"<html>"),
        Scripted(202, {"execution_id": "a" * 32, "result": {"success": False}}),
        Scripted(202, {}, cut=1),
        Scripted(202, {}, cut=-1),
        Scripted(202, {}, delay=30),
    ],
)
def test_traceback_frames_do_not_contain_the_key(call: Any, script: Scripted) -> None:
    with ScriptedServer(script) as server, pytest.raises(errors.SvcError) as caught:
        call(run, server.url, api_key=KEY, timeout=0.5)
    leaks = [value for value in variables(caught.value) if KEY in shown(value)]
    assert not leaks


def test_frames_of_configuration_errors_do_not_contain_the_key() -> None:
    for settings in ({"api_key": f"{KEY}\n"}, {"api_key": KEY, "timeout": 0}):
        given: Any = {"base_url": "http://svc.invalid", **settings}
        with pytest.raises(errors.ConfigurationError) as caught:
            Client(**given)
        given.clear()
        leaks = [value for value in variables(caught.value) if KEY in shown(value)]
        assert not leaks


def test_frames_of_interrupted_calls_do_not_contain_the_key() -> None:
    def interrupt(request: httpx.Request) -> httpx.Response:
        headers = list(request.headers.raw)
        raise KeyboardInterrupt(len(headers))

    http = httpx.Client(transport=httpx.MockTransport(interrupt))
    client = Client(api_key=KEY, base_url="http://svc.invalid", http_client=http)
    with pytest.raises(KeyboardInterrupt) as caught:
        run(client)
    leaks = [value for value in variables(caught.value) if KEY in shown(value)]
    assert not leaks


def test_transport_exceptions_propagate_unchanged(call: Any) -> None:
    failure = AssertionError("wrong path")

    class Failing(httpx.MockTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            """Raise from a frame of the HTTP library that holds the key."""
            try:
                return super().handle_request(request)
            except LookupError:
                raise failure from None

    def fail(request: httpx.Request) -> httpx.Response:
        raise LookupError(request.method)

    async def fail_async(_: httpx.Request) -> httpx.Response:
        raise failure

    http: Any = (
        httpx.AsyncClient(transport=httpx.MockTransport(fail_async))
        if call is call_async
        else httpx.Client(transport=Failing(fail))
    )
    with pytest.raises(AssertionError, match="wrong path") as caught:
        call(run, "http://svc.invalid", api_key=KEY, http_client=http)
    assert caught.value is failure
    frames = [frame for frame, _ in traceback.walk_tb(failure.__traceback__)]
    assert frames[-1].f_code.co_filename == __file__
    modules = {frame.f_globals["__name__"].partition(".")[0] for frame in frames}
    assert "httpx" not in modules
    leaks = [value for value in variables(failure) if KEY in shown(value)]
    assert not leaks


def test_a_key_function_is_called_again_after_a_401(
    call: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    keys = [f"{number}{KEY}" for number in range(3)]
    left = iter(keys)
    refused = Scripted(401, {"error": "unauthorized", "message": f"expired: 0{KEY}"})
    script = (ended({}), refused, ended({}), refused, refused)
    with ScriptedServer(*script) as server:

        async def work_async(client: Any) -> Any:
            await run(client)
            await run(client)
            with pytest.raises(errors.UnauthorizedError):
                await run(client)

        def work_sync(client: Any) -> Any:
            run(client)
            run(client)
            with pytest.raises(errors.UnauthorizedError):
                run(client)

        chosen = work_async if call is call_async else work_sync
        call(chosen, server.url, api_key=lambda: next(left))
    sent = [request.headers["authorization"] for request in server.requests]
    assert sent == [f"Bearer {keys[number]}" for number in (0, 0, 1, 1, 2)]
    assert KEY not in caplog.text


def test_awaitable_keys_are_awaited() -> None:
    async def provide() -> str:
        return KEY

    with ScriptedServer(ended({})) as server:
        call_async(run, server.url, api_key=provide)
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


def test_a_failing_key_function_is_an_error(call: Any) -> None:
    def fail() -> str:
        raise OSError("no network")

    for function in (fail, lambda: "two words", lambda: None):
        with (
            ScriptedServer(ended({})) as server,
            pytest.raises(errors.ConfigurationError) as caught,
        ):
            call(run, server.url, api_key=function)
        assert not server.requests
        assert caught.value.attempts == 0
        assert caught.value.idempotency_key is None


def test_a_key_function_that_fails_during_a_run_keeps_the_execution_id(
    call: Any,
) -> None:
    keys = [KEY]
    with (
        ScriptedServer(
            Scripted(202, {"execution_id": RUN}), Scripted(401, {})
        ) as server,
        pytest.raises(errors.ConfigurationError, match="IndexError") as caught,
    ):
        call(run, server.url, api_key=keys.pop)
    assert caught.value.execution_id == RUN
    assert caught.value.attempts == 1
    assert len(server.requests) == 2


def test_concurrent_tasks_load_one_key() -> None:
    asked: list[int] = []

    async def provide() -> str:
        asked.append(len(asked))
        await asyncio.sleep(0.05)
        return KEY

    async def work(client: Any) -> None:
        await asyncio.gather(*(run(client) for _ in range(5)))

    with ScriptedServer(ended({})) as server:
        call_async(work, server.url, api_key=provide)
    sent = [request.headers["authorization"] for request in server.requests]
    assert sent == [f"Bearer {KEY}"] * 5
    assert asked == [0]


def test_concurrent_threads_load_one_key() -> None:
    asked: list[int] = []

    def provide() -> str:
        asked.append(len(asked))
        time.sleep(0.05)
        return KEY

    with (
        ScriptedServer(ended({})) as server,
        Client(api_key=provide, base_url=server.url) as client,
        ThreadPoolExecutor(5) as threads,
    ):
        answers = list(threads.map(run, [client] * 5))
    assert len(answers) == 5
    assert asked == [0]


def test_a_cancelled_key_load_is_restarted() -> None:
    asked: list[int] = []
    begun = asyncio.Event()

    async def provide() -> str:
        asked.append(len(asked))
        begun.set()
        await asyncio.sleep(0.05 if asked[1:] else 60)
        return KEY

    async def work(client: Any) -> None:
        first, second = (asyncio.create_task(run(client)) for _ in range(2))
        await begun.wait()
        first.cancel()
        await second
        with pytest.raises(asyncio.CancelledError) as caught:
            await first
        assert not [each for each in variables(caught.value) if KEY in shown(each)]
        await run(client)

    with ScriptedServer(ended({})) as server:
        call_async(work, server.url, api_key=provide)
    sent = [request.headers["authorization"] for request in server.requests]
    assert sent == [f"Bearer {KEY}"] * 2
    assert len(asked) == 2


def test_a_replaced_key_is_redacted_while_its_successor_loads() -> None:
    keys = [f"{number}{KEY}" for number in range(2)]
    left = iter(keys)
    refused: list[httpx.Request] = []
    both = asyncio.Event()

    async def provide() -> str:
        await asyncio.sleep(0.05)
        return next(left)

    async def answer(request: httpx.Request) -> httpx.Response:
        if request.headers["authorization"] != f"Bearer {keys[0]}":
            return httpx.Response(400, json={"message": f"not {keys[0]}"})
        refused.append(request)
        if refused[1:]:
            both.set()
        await both.wait()
        return httpx.Response(401, json={"message": f"expired: {keys[0]}"})

    async def work() -> list[Any]:
        http = httpx.AsyncClient(transport=httpx.MockTransport(answer))
        async with (
            http,
            AsyncClient(
                api_key=provide, base_url="http://svc.invalid", http_client=http
            ) as client,
        ):
            calls = (run(client) for _ in range(2))
            return await asyncio.gather(*calls, return_exceptions=True)

    failures = asyncio.run(work())
    assert [type(each) for each in failures] == [errors.BadRequestError] * 2
    assert KEY not in "".join(str(vars(each)) for each in failures)


def test_frames_of_malformed_key_errors_do_not_contain_the_key(call: Any) -> None:
    with pytest.raises(errors.ConfigurationError, match="malformed") as caught:
        call(run, "http://svc.invalid", api_key=lambda: f"{KEY}\n")
    assert not [each for each in variables(caught.value) if KEY in shown(each)]
