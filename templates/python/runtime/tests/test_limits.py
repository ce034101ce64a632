"""Tests of limits, errors and connections."""

from __future__ import annotations

import asyncio
import gc
import logging
import math
import os
import random
import signal
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Barrier, Event, Lock, Thread
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from scripted_server import Scripted, ScriptedServer
from sdk import FLOW, AsyncClient, Client, errors
from side_by_side import side_by_side

if TYPE_CHECKING:
    from collections.abc import Callable

KEY = "0123456789abcdef" * 4
RUN = "00000000000000000000000000c0ffee"
RESULT = {"success": True, "output": {}}
ENDED = {"execution_id": RUN, "result": RESULT}


def run_blocking(url: str, options: Any, **settings: Any) -> Any:
    """Run the flow with the synchronous client."""
    given = {"retry_delay": 0, **settings}
    with Client(api_key=KEY, base_url=url, **given) as client:
        return client._run(FLOW, {}, options)


def run_async(url: str, options: Any, **settings: Any) -> Any:
    """Run the flow with the asyncio client."""

    async def call() -> Any:
        given = {"retry_delay": 0, **settings}
        async with AsyncClient(api_key=KEY, base_url=url, **given) as client:
            return await client._run(FLOW, {}, options)

    return asyncio.run(call())


RUNS = [run_blocking, run_async]


@pytest.fixture(params=RUNS, ids=["sync", "async"])
def run(request: pytest.FixtureRequest) -> Any:
    """One of the clients."""
    return request.param


def test_a_stalled_attempt_is_retried() -> None:
    def check(run: Any, limit: Any) -> None:
        script = (Scripted(delay=30), Scripted(202, ENDED))
        with ScriptedServer(*script) as server:
            answer = run(server.url, {"attempt_timeout": limit})
        assert answer.attempts == 2
        assert len(set(server.keys())) == 1

    side_by_side(check, RUNS, [2, httpx.Timeout(None, read=2)])


def test_stalled_attempts_time_out() -> None:
    def check(run: Any, limit: Any) -> None:
        with ScriptedServer(Scripted(delay=30)) as server:
            with pytest.raises(errors.TimedOutError, match="attempt_timeout") as caught:
                run(server.url, {}, attempt_timeout=limit, max_retries=1)
            assert caught.value.attempts == 2
            server.wait_for(2)
            assert caught.value.idempotency_key == server.keys()[-1]

    side_by_side(check, RUNS, [1, httpx.Timeout(None, read=1)])


def test_the_call_timeout_cuts_off_a_longer_attempt_timeout(run: Any) -> None:
    with ScriptedServer(Scripted(delay=30)) as server:
        for longer in (20, httpx.Timeout(20)):
            with pytest.raises(errors.TimedOutError, match="within its timeout") as end:
                run(server.url, {"timeout": 0.2}, attempt_timeout=longer)
            assert end.value.attempts == 1


class Trickling(BaseHTTPRequestHandler):
    """Sends complete responses, or trickles a head or body for a minute."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Respond with a completed run."""
        self.rfile.read(int(self.headers["Content-Length"]))
        body = b'{"execution_id":"%s","result":{"success":true,"output":{}}}' % (
            RUN.encode()
        )
        self.send_response(202)
        self.send_header("Content-Length", str(len(body)))
        part = self.headers["X-Trickle"]
        if part != "head":
            self.end_headers()
        if part is None:
            self.wfile.write(body)
            return
        self.flush_headers()
        with suppress(OSError):
            for _ in range(600):
                self.wfile.write(b" " if part == "body" else b"x")
                time.sleep(0.1)
        self.close_connection = True

    def log_message(self, *args: Any, **named: Any) -> None:
        """Log nothing."""


@pytest.mark.parametrize(
    ("part", "opened_by"),
    [("head", "call"), ("head", "earlier call"), ("body", "call"), ("body", "caller")],
)
def test_a_trickling_response_times_out(part: str, opened_by: str) -> None:
    with (
        ThreadingHTTPServer(("127.0.0.1", 0), Trickling) as server,
        httpx.Client() as http,
    ):
        Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}"
        client = Client(api_key=KEY, base_url=url, http_client=http)
        if opened_by == "earlier call":
            client._run(FLOW, {}, {})
        if opened_by == "caller":
            http.post(url, content=b"{}")
        options: Any = {"headers": {"X-Trickle": part}, "timeout": 0.5}
        started = time.monotonic()
        with pytest.raises(errors.TimedOutError, match="within its timeout"):
            client._run(FLOW, {}, options)
        assert time.monotonic() - started < 30
        server.shutdown()


def test_only_attempt_timeout_accepts_an_httpx_timeout(run: Any) -> None:
    with pytest.raises(errors.ConfigurationError, match="attempt_timeout"):
        run("http://svc.invalid", {"timeout": httpx.Timeout(5)})
    with pytest.raises(errors.ConfigurationError, match="greater than 0"):
        run("http://svc.invalid", {"attempt_timeout": 0})


def test_a_429_with_a_retry_after_of_a_second_does_not_count_as_a_retry(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(random, "random", lambda: 0.0)

    def check(run: Any) -> None:
        limited = Scripted(429, {}, {"Retry-After": "1"})
        with ScriptedServer(limited, limited, Scripted(202, ENDED)) as server:
            options = {"max_retries": 1}
            assert run(server.url, options, retry_budget=0).attempts == 3
            server.answers = [limited]
            with pytest.raises(errors.RateLimitedError) as caught:
                run(server.url, {"max_retries": 0})
            assert caught.value.attempts == 1

    side_by_side(check, RUNS)


@pytest.mark.parametrize("header", ["0", "0.01", "Wed, 21 Oct 2015 07:28:00 GMT"])
def test_a_429_with_a_shorter_retry_after_counts_as_a_retry(
    run: Any, header: str
) -> None:
    limited = Scripted(429, {}, {"Retry-After": header})
    with (
        ScriptedServer(limited) as server,
        pytest.raises(errors.RateLimitedError) as caught,
    ):
        run(server.url, {"max_retries": 3})
    assert caught.value.attempts == 4


def test_a_short_retry_after_is_jittered(
    run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(random, "random", lambda: 0.9)
    limited = Scripted(429, {}, {"Retry-After": "0.01"})
    with ScriptedServer(limited, Scripted(202, ENDED)) as server:
        started = time.monotonic()
        run(server.url, {}, retry_delay=0.4)
    assert time.monotonic() - started >= 0.36


def test_an_exhausted_connection_pool_is_reported() -> None:
    def call(server: ScriptedServer, http: httpx.Client) -> Any:
        client = Client(api_key=KEY, base_url=server.url, http_client=http)
        limits = httpx.Timeout(None, pool=0.1)
        return client._run(FLOW, {}, {"attempt_timeout": limits, "max_retries": 0})

    failed = Event()
    with (
        ScriptedServer(Scripted(202, ENDED, after=failed)) as server,
        httpx.Client(limits=httpx.Limits(max_connections=1)) as http,
        ThreadPoolExecutor() as threads,
    ):
        first = threads.submit(call, server, http)
        server.wait_for(1)
        with pytest.raises(errors.TimedOutError, match="no connection became free"):
            call(server, http)
        failed.set()
        assert first.result().status == 202


def test_the_shared_pool_serves_many_threads() -> None:
    calls = 150
    arrived = Barrier(calls)

    class Meeting(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            arrived.wait(30)
            body = b'{"execution_id":"%s","result":{"success":true,"output":{}}}' % (
                RUN.encode()
            )
            self.send_response(202)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: Any, **named: Any) -> None:
            """Log nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = calls

    with Server(("127.0.0.1", 0), Meeting) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}"
        with Client(api_key=KEY, base_url=url) as client:
            with ThreadPoolExecutor(calls) as threads:
                sent = [
                    threads.submit(client._run, FLOW, {}, {"max_retries": 0})
                    for _ in range(calls)
                ]
            assert {call.result().status for call in sent} == {202}
        server.shutdown()


class Unreachable(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Times out while connecting, and records the timeouts of each request."""

    def __init__(self) -> None:
        """Start without records."""
        self.limits: list[dict[str, float | None]] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Time out."""
        self.limits.append(dict(request.extensions["timeout"]))
        raise httpx.ConnectTimeout("timed out")

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Time out."""
        return self.handle_request(request)


def test_connecting_times_out_and_is_retried(run: Any) -> None:
    transport = Unreachable()
    is_async = run is run_async
    kind = httpx.AsyncClient if is_async else httpx.Client
    with pytest.raises(errors.ConnectionFailedError) as caught:
        run("http://svc.invalid", {}, http_client=kind(transport=transport))
    assert caught.value.attempts == 3
    assert [each["connect"] for each in transport.limits] == [5, 5, 5]
    assert transport.limits[0]["read"] == pytest.approx(60, abs=1)
    with pytest.raises(errors.ConnectionFailedError):
        run(
            "http://svc.invalid",
            {"timeout": 3, "max_retries": 0},
            http_client=kind(transport=transport),
        )
    assert transport.limits[3]["connect"] == pytest.approx(3, abs=0.5)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"timeout": "5"}, "a number of seconds; pass None"),
        ({"timeout": True}, "a number of seconds; pass None"),
        ({"attempt_timeout": "5"}, "a number of seconds; pass None"),
        ({"max_retries": None}, "must be an int"),
        ({"max_retries": 1.5}, "must be an int"),
        ({"headers": {"A": 1}}, "the header 'A' must be a str"),
        ({"headers": ["A"]}, "a mapping"),
        ({"retry_budget": 1.5}, "must be an int"),
        ({"retry_delay": None}, "retry_delay must be a number of seconds"),
        ({"max_retry_delay": math.nan}, "max_retry_delay must be a number of seconds"),
        ({"base_url": 5}, "base_url must be a str"),
        ({"idempotency_key": 5}, "must be a str"),
    ],
)
def test_the_error_names_an_option_of_the_wrong_type(
    run: Any, options: dict[str, Any], said: str
) -> None:
    settings = {"base_url": "http://svc.invalid", "api_key": KEY, **options}
    if "idempotency_key" not in options:
        for kind in (Client, AsyncClient):
            with pytest.raises(errors.ConfigurationError, match=said):
                kind(**settings)
    of_clients = {"retry_budget", "retry_delay", "max_retry_delay", "base_url"}
    if not options.keys() & of_clients:
        with pytest.raises(errors.ConfigurationError, match=said):
            run("http://svc.invalid", options)


def test_a_misspelt_client_option_is_a_type_error() -> None:
    settings: Any = {"tmeout": 1}
    for kind in (Client, AsyncClient):
        said = rf"^{kind.__name__}\.__init__\(\) got an unexpected.*'tmeout'"
        with pytest.raises(TypeError, match=said):
            kind(**settings)


@pytest.mark.parametrize("timeout", [math.inf, 10**400])
def test_an_infinite_timeout_means_no_limit(run: Any, timeout: float) -> None:
    with ScriptedServer(Scripted(202, ENDED)) as server:
        assert run(server.url, {"timeout": timeout}).status == 202
        assert run(server.url, {}, attempt_timeout=timeout).status == 202


@pytest.mark.parametrize(
    ("kind", "other"),
    [(Client, httpx.AsyncClient), (AsyncClient, httpx.Client)],
)
def test_an_http_client_of_the_wrong_kind_is_rejected(kind: Any, other: Any) -> None:
    with pytest.raises(errors.ConfigurationError, match=r"takes an httpx\."):
        kind(api_key=KEY, base_url="http://svc.invalid", http_client=other())


def test_the_retry_budget_is_configurable(
    run: Any, caplog: pytest.LogCaptureFixture
) -> None:
    with ScriptedServer(Scripted(503, {})) as server:
        for budget, attempts in ((0, 1), (3, 4), (None, 121)):
            with pytest.raises(errors.ServerError) as caught:
                run(server.url, {}, retry_budget=budget, max_retries=120)
            assert caught.value.attempts == attempts
    warnings = [each for each in caplog.records if each.levelno == logging.WARNING]
    assert len(warnings) == 2
    assert "the retry budget is empty" in warnings[0].getMessage()
    with pytest.raises(errors.ConfigurationError):
        run("http://svc.invalid", {}, retry_budget=-1)


class Limiter(ThreadingHTTPServer):
    """Limits requests like the service with its defaults, but refills faster."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self) -> None:
        """Create a server that listens on a free port."""
        self.tokens = 10.0
        self.filled = time.monotonic()
        self.lock = Lock()
        super().__init__(("127.0.0.1", 0), _LimitedHandler)

    def take(self) -> bool:
        """Take one of 10 tokens, which are refilled at 50 per second."""
        with self.lock:
            now = time.monotonic()
            self.tokens = min(10.0, self.tokens + (now - self.filled) * 50)
            self.filled = now
            if self.tokens < 1:
                return False
            self.tokens -= 1
            return True


class _LimitedHandler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        assert isinstance(self.server, Limiter)
        self.rfile.read(int(self.headers["Content-Length"]))
        is_allowed = self.server.take()
        body = b'{"execution_id":"%s","result":{"success":true,"output":{}}}' % (
            RUN.encode()
        )
        self.send_response(202 if is_allowed else 429)
        if not is_allowed:
            self.send_header("Retry-After", "1")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: Any, **named: Any) -> None:
        """Log nothing."""


def test_a_burst_above_the_rate_limit_succeeds() -> None:
    server = Limiter()
    Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}"
    with Client(api_key=KEY, base_url=url) as client, ThreadPoolExecutor(60) as pool:
        calls = [pool.submit(client._run, FLOW, {}, {}) for _ in range(60)]
        answers = [call.result() for call in calls]
    server.shutdown()
    server.server_close()
    assert len(answers) == 60


def test_errors_have_the_execution_id(run: Any) -> None:
    scripts = (
        Scripted(500, {"error": "broken", "execution_id": RUN}),
        Scripted(202, {"execution_id": RUN, "result": {"success": False}}),
        Scripted(202, {"execution_id": RUN, "result": {"success": True}}),
    )
    for script in scripts:
        with (
            ScriptedServer(script) as server,
            pytest.raises(errors.SvcError) as caught,
        ):
            run(server.url, {"max_retries": 0})
        error = caught.value
        assert (error.execution_id, error.attempts) == (RUN, 1)
        assert error.idempotency_key == server.keys()[0]
        assert error.headers is not None
    lost = (Scripted(202, {"execution_id": RUN}), Scripted(404, {}))
    with (
        ScriptedServer(*lost) as server,
        pytest.raises(errors.NotFoundError) as caught,
    ):
        run(server.url, {})
    assert caught.value.execution_id == RUN


def test_the_execution_is_logged(run: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with ScriptedServer(Scripted(202, ENDED)) as server:
        assert run(server.url, {}).execution_id == RUN
    assert f"execution {RUN}" in caplog.text


def test_a_redirect_is_an_error_with_its_location(run: Any) -> None:
    moved = Scripted(308, {}, {"Location": "https://elsewhere.example/"})
    with (
        ScriptedServer(moved) as server,
        pytest.raises(errors.StatusError, match=r"https://elsewhere\.example/"),
    ):
        run(server.url, {})
    assert len(server.requests) == 1


def test_user_agents_are_joined(run: Any) -> None:
    with ScriptedServer(Scripted(202, ENDED)) as server:
        run(server.url, {}, headers={"User-Agent": "shop/1.0"})
        run(server.url, {})
    mine, plain = (request.headers["user-agent"] for request in server.requests)
    assert mine == f"shop/1.0 {plain}"
    assert plain == server.requests[0].headers["x-svc-client"]


def test_a_run_can_be_cancelled() -> None:
    over = Scripted(409, {"error": "EXECUTION_NOT_CANCELLABLE"})
    cancelled = Scripted(body={"execution_id": RUN, "status": "CANCELLED"})
    with ScriptedServer(cancelled, cancelled, over) as server:
        client = Client(api_key=KEY, base_url=server.url)
        record = client._execution(FLOW, RUN).cancel()
        assert (record.status, record.is_terminal) == ("CANCELLED", True)

        async def cancel() -> Any:
            async with AsyncClient(api_key=KEY, base_url=server.url) as other:
                return await other._execution(FLOW, RUN).cancel()

        assert asyncio.run(cancel()).status == record.status
        with pytest.raises(errors.StatusError) as caught:
            client._execution(FLOW, RUN).cancel()
    assert (caught.value.status, caught.value.execution_id) == (409, RUN)
    request = server.requests[0]
    path = f"/invocations/v1/executions/{RUN}/cancel"
    assert (request.method, request.path) == ("POST", path)
    assert request.headers["idempotency-key"]


@pytest.mark.parametrize("name", ["timout", "message", "api_key"])
def test_misspelt_options_are_type_errors(run: Any, name: str) -> None:
    with pytest.raises(TypeError, match=name):
        run("http://svc.invalid", {name: 1})
    client: Any = Client(api_key=KEY, base_url="http://svc.invalid")
    with pytest.raises(TypeError, match=name):
        client._warm(FLOW, {name: 1})
    with pytest.raises(TypeError, match=name):
        client._execution(FLOW, RUN).get(**{name: 1})


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("timuot", 3, TypeError),
        ("timeout", -1, errors.ConfigurationError),
        ("headers", {"X-Line": "a\nb"}, errors.ConfigurationError),
    ],
)
def test_options_are_checked_when_a_method_is_called(
    name: str, value: Any, error: type[Exception]
) -> None:
    options: Any = {name: value}
    for kind in (Client, AsyncClient):
        client: Any = kind(api_key=KEY, base_url="http://svc.invalid")
        execution = client._execution(FLOW, RUN)
        for method in (client.pauses, execution.events, execution.follow):
            with pytest.raises(error):
                method(**options)
        with pytest.raises(error):
            client._stream(FLOW, {}, options)


def test_clients_share_their_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    # An environment that differs from that of clients left by other tests.
    monkeypatch.setenv("http_proxy", "http://test.invalid")
    first = Client(api_key=KEY, base_url="http://svc.invalid")
    second = Client(api_key=KEY, base_url="http://svc.invalid")
    http = first._drive._client()
    assert second._drive._client() is http
    first.close()
    first.close()
    assert not http.is_closed
    second.close()
    assert http.is_closed


def test_unclosed_clients_share_one_pool() -> None:
    url = "http://svc.invalid"
    clients = {id(Client(api_key=KEY, base_url=url)._drive._client()) for _ in "abc"}
    gc.collect()
    assert len(clients) == 1

    async def count() -> int:
        made = [AsyncClient(api_key=KEY, base_url=url) for _ in "abc"]
        return len({id(client._drive._client()) for client in made})

    assert asyncio.run(count()) == 1


def test_an_async_client_works_in_successive_event_loops() -> None:
    with ScriptedServer(Scripted(202, ENDED)) as server:
        client = AsyncClient(api_key=KEY, base_url=server.url)
        for _ in range(2):
            assert asyncio.run(client._run(FLOW, {}, {})).status == 202


def test_a_forked_process_opens_its_own_connections(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = Client(api_key=KEY, base_url="http://svc.invalid")
    inherited = client._drive._client()
    pid = os.getpid()
    with monkeypatch.context() as forked:
        forked.setattr(os, "getpid", lambda: pid + 1)
        own = client._drive._client()
        assert own is not inherited
        assert client._drive._client() is own
        other = Client(api_key=KEY, base_url="http://svc.invalid")
        assert other._drive._client() is own
        other.close()
        client.close()
        assert own.is_closed
        assert not inherited.is_closed


def test_a_forked_process_does_not_close_inherited_connections(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # An environment that differs from that of clients left by other tests.
    monkeypatch.setenv("http_proxy", "http://test.invalid")
    client = Client(api_key=KEY, base_url="http://svc.invalid")
    inherited = client._drive._client()
    pid = os.getpid()
    with monkeypatch.context() as forked:
        forked.setattr(os, "getpid", lambda: pid + 1)
        client.close()
    assert not inherited.is_closed


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the platform has no fork")
def test_forking_during_client_creation_does_not_deadlock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # An environment that differs from that of clients left by other tests.
    monkeypatch.setenv("http_proxy", "http://fork.invalid")
    creating, forked = Event(), Event()

    class Slow(httpx.Client):
        def __init__(self, **settings: Any) -> None:
            creating.set()
            forked.wait(10)
            super().__init__(**settings)

    monkeypatch.setattr(httpx, "Client", Slow)
    given: Any = {"api_key": KEY, "base_url": "http://svc.invalid"}
    with ThreadPoolExecutor() as threads:
        created = threads.submit(lambda: Client(**given))
        assert creating.wait(10)
        child = fork_and(lambda: Client(**given).close(), forked)
        assert os.waitpid(child, 0)[1] == 0
        created.result(10).close()


def fork_and(work: Callable[[], None], forked: Event) -> int:
    """Run ``work`` in a forked process that is killed after 10 seconds."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    forked.set()
    if child == 0:
        signal.alarm(10)
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    return child


def test_cookies_are_not_kept() -> None:
    answer = Scripted(202, ENDED, {"Set-Cookie": "account=first; Path=/"})
    with ScriptedServer(answer) as server:
        first = Client(api_key=KEY, base_url=server.url)
        second = Client(api_key=KEY[1:], base_url=server.url)
        for client in (first, second, first):
            client._run(FLOW, {}, {})

        async def run_both() -> None:
            async with (
                AsyncClient(api_key=KEY, base_url=server.url) as one,
                AsyncClient(api_key=KEY[1:], base_url=server.url) as other,
            ):
                for client in (one, other, one):
                    await client._run(FLOW, {}, {})

        asyncio.run(run_both())
        first.close()
        second.close()
    assert len(server.requests) == 6
    assert not [each for each in server.requests if "cookie" in each.headers]


def test_a_custom_http_client_keeps_its_cookies() -> None:
    answer = Scripted(202, ENDED, {"Set-Cookie": "account=first; Path=/"})
    with ScriptedServer(answer) as server, httpx.Client() as http:
        client = Client(api_key=KEY, base_url=server.url, http_client=http)
        for _ in range(2):
            client._run(FLOW, {}, {})
    assert server.requests[1].headers["cookie"] == "account=first"
