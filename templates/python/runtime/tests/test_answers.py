"""Tests of how responses and failures map to results and errors."""

from __future__ import annotations

import asyncio
import json
import signal
import time
from dataclasses import dataclass
from threading import Thread
from typing import Any

import httpx
import pytest
from scripted_server import Scripted, ScriptedServer
from sdk import FLOW, AsyncClient, Client, errors
from side_by_side import side_by_side

KEY = "0123456789abcdef" * 4
RUN = "00000000000000000000000000c0ffee"
ENDED = {"execution_id": RUN, "result": {"success": True, "output": {}}}
REQUEST = {"X-Request-Id": "7d1f0c6e2b9a4f53"}
DOWN = Scripted(503, {})
UP = Scripted(202, ENDED)


@dataclass(frozen=True, kw_only=True)
class Way:
    """Calls through the synchronous or the asyncio client."""

    is_async: bool

    def run(self, url: str, **settings: Any) -> Any:
        """Run the flow."""
        options = settings.pop("options", {})
        return self.do(url, lambda client: client._run(FLOW, {}, options), **settings)

    def do(self, url: str, call: Any, **settings: Any) -> Any:
        """Make a call with a client."""
        return asyncio.run(self._do(url, call, {"retry_delay": 0, **settings}))

    async def _do(self, url: str, call: Any, settings: Any) -> Any:
        if self.is_async:
            async with AsyncClient(api_key=KEY, base_url=url, **settings) as client:
                return await call(client)
        with Client(api_key=KEY, base_url=url, **settings) as blocking:
            return call(blocking)

    def through(self, answer: Any) -> Any:
        """Return an HTTP client with a mock transport."""
        transport = httpx.MockTransport(answer)
        if self.is_async:
            return httpx.AsyncClient(transport=transport)
        return httpx.Client(transport=transport)


WAYS = [Way(is_async=False), Way(is_async=True)]


@pytest.fixture(params=WAYS, ids=["sync", "async"])
def way(request: pytest.FixtureRequest) -> Way:
    """Call through either client."""
    chosen: Way = request.param
    return chosen


FAILED = {"execution_id": RUN, "result": {"success": False, "error_message": "tired"}}


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Scripted(404, {"message": "gone"}, REQUEST), "gone (HTTP 404, request 7d1f"),
        (Scripted(202, b"<html>", REQUEST), "(request 7d1f"),
        (Scripted(202, FAILED, REQUEST), f"tired (execution {RUN}, request 7d1f"),
        (Scripted(202, ENDED, REQUEST, cut=9), "(request 7d1f"),
    ],
)
def test_errors_name_the_request(way: Way, answer: Scripted, said: str) -> None:
    with (
        ScriptedServer(answer) as server,
        pytest.raises(errors.SvcError) as caught,
    ):
        way.run(server.url, max_retries=0)
    assert caught.value.request_id == REQUEST["X-Request-Id"]
    assert caught.value.headers is not None
    assert said in str(caught.value)


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_error_headers_may_contain_non_ascii_characters(
    way: Way, encoding: str
) -> None:
    note = {"X-Note": "café".encode(encoding).decode("latin-1")}
    with (
        ScriptedServer(Scripted(503, {}, note), Scripted(404, {}, note)) as server,
        pytest.raises(errors.NotFoundError) as caught,
    ):
        way.run(server.url)
    assert caught.value.headers is not None
    assert caught.value.headers["x-note"] == "café"
    assert len(server.requests) == 2


def test_responses_name_the_request(way: Way) -> None:
    with ScriptedServer(Scripted(202, ENDED, REQUEST), UP) as server:
        assert way.run(server.url).request_id == REQUEST["X-Request-Id"]
        assert way.run(server.url).request_id is None


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("input", "differs in its input (execution"),
        ("graph_id, input", "differs in its flow and input (execution"),
        ("execution_id", "differs in its execution (execution"),
    ],
)
def test_an_idempotency_mismatch_is_an_error(way: Way, header: str, said: str) -> None:
    answer = Scripted(202, ENDED, {"Idempotency-Mismatch": header, **REQUEST})
    with (
        ScriptedServer(answer) as server,
        pytest.raises(errors.IdempotencyMismatchError) as caught,
    ):
        way.run(server.url, options={"idempotency_key": "order-4711"})
    assert (caught.value.execution_id, caught.value.attempts) == (RUN, 1)
    assert said in str(caught.value)
    assert len(server.requests) == 1


@pytest.mark.parametrize("size", [1, 1_100_000])
def test_a_connection_lost_before_the_response_says_so(way: Way, size: int) -> None:
    call: dict[str, Any] = {"text": "a" * size}
    with (
        ScriptedServer(Scripted(cut=-1)) as server,
        pytest.raises(errors.ConnectionFailedError, match="lost before") as caught,
    ):
        way.do(server.url, lambda client: client._run(FLOW, call, {"max_retries": 0}))
    assert ("input may be too large" in str(caught.value)) == (size > 1)


def test_an_idempotency_mismatch_of_a_stream_is_an_error(way: Way) -> None:
    head = {
        "Content-Type": "text/event-stream",
        "Idempotency-Mismatch": "input",
        "X-Execution-Id": RUN,
    }

    def read(client: Any) -> Any:
        stream = client._stream(FLOW, {}, {"idempotency_key": "order-4711"})
        return anext(stream) if way.is_async else next(stream)

    answer = Scripted(body=b": waits\n\n", headers=head, holds=True)
    with (
        ScriptedServer(answer) as server,
        pytest.raises(errors.IdempotencyMismatchError) as caught,
    ):
        way.do(server.url, read)
    assert caught.value.execution_id == RUN


def test_a_successful_retry_returns_its_token_to_the_budget(way: Way) -> None:
    with ScriptedServer(DOWN, UP, DOWN, UP, DOWN, UP) as server:

        async def call_async(client: Any) -> None:
            for _ in range(3):
                await client._run(FLOW, {}, {})

        def call(client: Any) -> None:
            for _ in range(3):
                client._run(FLOW, {}, {})

        way.do(server.url, call_async if way.is_async else call, retry_budget=1)
    assert len(server.requests) == 6


def test_the_error_mentions_an_exhausted_retry_budget(way: Way) -> None:
    with (
        ScriptedServer(DOWN) as server,
        pytest.raises(errors.UpstreamUnavailableError) as caught,
    ):
        way.run(server.url, retry_budget=0)
    assert str(caught.value).endswith("; not tried again: the retry budget is empty")
    assert caught.value.message == str(caught.value)


@pytest.mark.parametrize(("status", "attempts"), [(400, 1), (409, 1), (503, 3)])
def test_a_truncated_error_response_keeps_its_status(
    way: Way, status: int, attempts: int
) -> None:
    head = {"X-Execution-Id": RUN, **REQUEST}
    refusal = Scripted(status, b"half of it", head, cut=4)
    with (
        ScriptedServer(refusal) as server,
        pytest.raises(errors.StatusError) as caught,
    ):
        way.run(server.url)
    assert (caught.value.status, caught.value.body) == (status, "half")
    assert (caught.value.execution_id, caught.value.attempts) == (RUN, attempts)
    assert caught.value.request_id == REQUEST["X-Request-Id"]


def test_an_error_response_with_a_stalled_body_times_out() -> None:
    def check(way: Way) -> None:
        with (
            ScriptedServer(Scripted(400, {}, holds=True)) as server,
            pytest.raises(errors.TimedOutError),
        ):
            way.run(server.url, timeout=1)

    side_by_side(check, WAYS)


@pytest.mark.parametrize("status", ["CANCELLED", "COMPLETED"])
def test_cancel_succeeds_when_its_first_response_was_lost(
    way: Way, status: str
) -> None:
    script = (
        Scripted(cut=-1),
        Scripted(409, {"code": "execution_not_cancellable"}),
        Scripted(body={"execution_id": RUN, "status": status}),
    )

    def cancel(client: Any) -> Any:
        return client._execution(FLOW, RUN).cancel()

    with ScriptedServer(*script) as server:
        if status == "CANCELLED":
            assert way.do(server.url, cancel).status == "CANCELLED"
        else:
            with pytest.raises(errors.StatusError) as caught:
                way.do(server.url, cancel)
            assert caught.value.status == 409
    assert [each.method for each in server.requests] == ["POST", "POST", "GET"]


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("Authorization", "api_key"),
        ("ACCEPT", ""),
        ("content-type", ""),
        ("idempotency-key", "idempotency_key"),
        ("Last-Event-ID", "after"),
        ("x-svc-client", ""),
        ("Host", ""),
        ("Accept-Encoding", ""),
    ],
)
def test_reserved_headers_are_rejected(way: Way, name: str, instead: str) -> None:
    headers = {name: "mine"}
    with ScriptedServer(UP) as server:
        for given in ({"headers": headers}, {"options": {"headers": headers}}):
            with pytest.raises(errors.ConfigurationError) as caught:
                way.run(server.url, **given)
            assert name in str(caught.value)
            assert instead in str(caught.value)
    assert server.requests == []


@pytest.mark.parametrize("answer", [None, httpx.Response(200, content=iter([b"{}"]))])
def test_a_transport_without_a_usable_response_is_a_configuration_error(
    way: Way, answer: Any
) -> None:
    class Odd(httpx.BaseTransport, httpx.AsyncBaseTransport):
        def handle_request(self, request: httpx.Request) -> Any:
            assert request.method == "POST"
            return None

        async def handle_async_request(self, request: httpx.Request) -> Any:
            assert request.method == "POST"
            return answer

    http = (httpx.AsyncClient if way.is_async else httpx.Client)(transport=Odd())
    with pytest.raises(errors.ConfigurationError, match="no usable response"):
        way.run("http://svc.invalid", http_client=http)


def test_an_empty_response_is_an_error(way: Way) -> None:
    http = way.through(lambda _: httpx.Response(204))
    with pytest.raises(errors.InvalidResponseError) as caught:
        way.run("http://svc.invalid", http_client=http)
    assert caught.value.status == 204


def test_an_httpx_timeout_becomes_a_timed_out_error(way: Way) -> None:
    def time_out(_: httpx.Request) -> httpx.Response:
        raise httpx.ReadTimeout("mine")

    with pytest.raises(TimeoutError) as caught:
        way.run("http://svc.invalid", http_client=way.through(time_out))
    assert type(caught.value) is errors.TimedOutError
    assert caught.value.attempts == 1


@pytest.mark.parametrize("reads", [False, True])
def test_the_status_survives_a_hook_that_calls_raise_for_status(
    way: Way, *, reads: bool
) -> None:
    def check(response: httpx.Response) -> None:
        if reads:
            response.read()
        response.raise_for_status()

    async def check_async(response: httpx.Response) -> None:
        if reads:
            await response.aread()
        response.raise_for_status()

    http: Any = httpx.AsyncClient() if way.is_async else httpx.Client()
    http.event_hooks = {"response": [check_async if way.is_async else check]}
    with (
        ScriptedServer(Scripted(404, {"code": "not_here"})) as server,
        pytest.raises(errors.NotFoundError) as caught,
    ):
        way.run(server.url, http_client=http)
    assert (caught.value.status, caught.value.attempts) == (404, 1)
    assert caught.value.code == ("not_here" if reads else None)


@pytest.mark.parametrize(
    ("cause", "said"),
    [(OSError("reset by peer"), "reset by peer"), (None, "connection closed or reset")],
)
def test_a_lost_connection_error_gives_the_reason(
    way: Way, cause: Exception | None, said: str
) -> None:
    def lose(_: httpx.Request) -> httpx.Response:
        raise httpx.ReadError("") from cause

    with pytest.raises(errors.ConnectionFailedError, match=f": {said}$") as caught:
        way.run("http://svc.invalid", http_client=way.through(lose))
    assert str(caught.value.__cause__) == said


def test_a_transport_timeout_after_the_deadline_is_a_timed_out_error(way: Way) -> None:
    def time_out(_: httpx.Request) -> httpx.Response:
        time.sleep(0.2)
        raise TimeoutError("mine")

    with pytest.raises(errors.TimedOutError):
        way.run("http://svc.invalid", timeout=0.1, http_client=way.through(time_out))


def test_a_timeout_error_already_being_handled_is_not_raised_again(way: Way) -> None:
    def fail() -> None:
        raise TimeoutError("handled")

    def call_again(url: str) -> None:
        try:
            fail()
        except TimeoutError:
            way.run(url, timeout=0.5)

    with (
        ScriptedServer(Scripted(delay=30)) as server,
        pytest.raises(errors.TimedOutError),
    ):
        call_again(server.url)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs POSIX signals")
def test_a_timeout_error_from_a_signal_handler_is_raised_unchanged() -> None:
    class JobTimeoutError(TimeoutError):
        pass

    def end_job(*_: object) -> None:
        raise JobTimeoutError

    def alarm(server: ScriptedServer) -> None:
        server.wait_for(1)
        signal.setitimer(signal.ITIMER_REAL, 0.2)

    usual = signal.signal(signal.SIGALRM, end_job)
    try:
        with (
            ScriptedServer(Scripted(delay=60)) as server,
            Client(api_key=KEY, base_url=server.url) as client,
            pytest.raises(JobTimeoutError),
        ):
            Thread(target=alarm, args=(server,), daemon=True).start()
            client._run(FLOW, {}, {"timeout": 40, "attempt_timeout": 30})
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, usual)
    assert len(server.requests) == 1


def test_a_short_key_is_not_redacted() -> None:
    said = {"error": "a_test", "message": "a test of a node", "execution_id": RUN}
    with (
        ScriptedServer(Scripted(422, said)) as server,
        Client(api_key="test", base_url=server.url) as client,
        pytest.raises(errors.NodeFailedError) as caught,
    ):
        client._run(FLOW, {}, {})
    assert caught.value.message.startswith("a test of a node (HTTP 422")
    assert (caught.value.code, caught.value.body) == ("a_test", said)
    assert json.loads(server.requests[0].body)["graph_id"] == FLOW.graph_id
