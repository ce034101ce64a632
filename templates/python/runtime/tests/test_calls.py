"""Tests of calls against a scripted server."""

from __future__ import annotations

import asyncio
import importlib
import logging
import socket
import ssl
import time
from email.utils import formatdate
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from scripted_server import Scripted, ScriptedServer
from sdk import CALLS, AsyncClient, Client, Sample, errors
from side_by_side import side_by_side

if TYPE_CHECKING:
    from collections.abc import Callable

KEY = "0123456789abcdef" * 4
NODES = [sample for sample in CALLS if "/nodes/" in sample.path]

pytestmark = pytest.mark.skipif(not CALLS, reason="the client has nothing to call")


CERTIFICATES = ssl.create_default_context()
"""Loaded once because loading is slow."""


def call_blocking(sample: Sample, url: str, settings: Any, options: Any) -> Any:
    """Call through the synchronous client."""
    with httpx.Client(verify=CERTIFICATES) as http:
        client = Client(api_key=KEY, base_url=url, http_client=http, **settings)
        return getattr(client.with_raw_response, sample.name)(sample.input, **options)


def call_async(sample: Sample, url: str, settings: Any, options: Any) -> Any:
    """Call through the asyncio client."""

    async def call() -> Any:
        async with httpx.AsyncClient(verify=CERTIFICATES) as http:
            client = AsyncClient(
                api_key=KEY, base_url=url, http_client=http, **settings
            )
            method = getattr(client.with_raw_response, sample.name)
            return await method(sample.input, **options)

    return asyncio.run(call())


@pytest.fixture(params=[call_blocking, call_async], ids=["sync", "async"])
def call(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Call the first member through either client, with short delays."""

    def send(server: ScriptedServer, settings: Any = None, **options: Any) -> Any:
        made = {"retry_delay": 0.001, **(settings or {})}
        return request.param(CALLS[0], server.url, made, options)

    return send


def ok(**changes: Any) -> Scripted:
    """Respond with the output of the first member."""
    return Scripted(body=CALLS[0].output, **changes)


@pytest.mark.parametrize("sample", CALLS, ids=lambda sample: str(sample.name))
@pytest.mark.parametrize("way", [call_blocking, call_async], ids=["sync", "async"])
def test_every_member_is_called(way: Any, sample: Sample) -> None:
    with ScriptedServer(Scripted(body=sample.output)) as server:
        answer = way(sample, server.url, {}, {})
    request = server.requests[0]
    assert request.path == sample.path
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["content-type"] == "application/json"
    assert answer.value == sample.answer
    assert answer.status == 200


def test_raw_responses_expose_headers_and_metadata(call: Any) -> None:
    head = {"X-Execution-Id": "e" * 32, "X-Other": "1"}
    with ScriptedServer(ok(headers=head)) as server:
        answer = call(server, headers={"X-Mine": "2"})
    assert (answer.execution_id, answer.headers["x-other"]) == ("e" * 32, "1")
    assert (answer.attempts, answer.idempotency_key) == (1, server.keys()[0])
    assert server.requests[0].headers["x-mine"] == "2"
    assert f", body=<{len(answer.body)} bytes>, value={answer.value!r}," in repr(answer)


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_transient_failures_are_retried(call: Any, status: int) -> None:
    with ScriptedServer(Scripted(status, {}), Scripted(status, {}), ok()) as server:
        answer = call(server)
    assert answer.attempts == 3
    assert len(set(server.keys())) == 1


@pytest.mark.parametrize("cut", [-1, 1])
def test_broken_connections_are_retried(call: Any, cut: int) -> None:
    with ScriptedServer(ok(cut=cut), ok()) as server:
        assert call(server).attempts == 2


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 413, 422])
def test_other_failures_are_not_retried(call: Any, status: int) -> None:
    with (
        ScriptedServer(Scripted(status, {})) as server,
        pytest.raises(errors.StatusError),
    ):
        call(server)
    assert len(server.requests) == 1


def test_idempotency_keys_are_passed_through_or_generated(call: Any) -> None:
    with ScriptedServer(Scripted(500, {}), ok()) as server:
        call(server, idempotency_key="mine")
        call(server)
        call(server)
    assert server.keys()[:2] == ["mine", "mine"]
    assert len(set(server.keys())) == 3


def test_the_last_error_is_raised_when_retries_are_exhausted(call: Any) -> None:
    with ScriptedServer(Scripted(503, {"error": "upstream_unavailable"})) as server:
        with pytest.raises(errors.UpstreamUnavailableError):
            call(server, max_retries=1)
        with pytest.raises(errors.UpstreamUnavailableError):
            call(server, {"max_retries": 0})
    assert len(server.requests) == 3


def test_retry_after_is_honoured(call: Any) -> None:
    limited = Scripted(429, {}, {"Retry-After": "0.2"})
    with ScriptedServer(limited, ok()) as server:
        started = time.monotonic()
        call(server)
    assert time.monotonic() - started >= 0.2


def test_a_retry_after_of_0_is_jittered() -> None:
    retries = importlib.import_module("._retries", errors.__package__)
    waits = {
        retries.wait_before(1, retry_after=0.0, first=60.0, longest=60.0)
        for _ in range(50)
    }
    assert len(waits) > 1
    assert max(waits) <= 1


def test_the_jitter_added_to_retry_after_does_not_grow() -> None:
    retries = importlib.import_module("._retries", errors.__package__)

    def longest_wait(retry_after: float, longest: float) -> float:
        waits = [
            retries.wait_before(9, retry_after=retry_after, first=0.5, longest=longest)
            for _ in range(200)
        ]
        assert min(waits) >= retry_after
        return float(max(waits))

    assert 1.5 < longest_wait(1.0, 8.0) <= 2
    assert 0.3 < longest_wait(0.1, 8.0) <= 0.6
    assert 21 < longest_wait(20.0, 2.0) <= 22


def test_a_long_retry_after_fails_the_call(call: Any) -> None:
    tomorrow = formatdate(time.time() + 86_400, usegmt=True)
    quota = {"error": "quota_exceeded", "message": "used up"}
    with ScriptedServer(Scripted(429, quota, {"Retry-After": tomorrow})) as server:
        with pytest.raises(errors.QuotaExceededError) as caught:
            call(server)
        assert caught.value.retry_after == pytest.approx(86_400, abs=60)
        server.answers = [Scripted(503, {"retry_after_seconds": 50})]
        with pytest.raises(errors.UpstreamUnavailableError) as unavailable:
            call(server, timeout=20)
        assert unavailable.value.retry_after == 50
    assert len(server.requests) == 2


def test_the_retry_budget_limits_retries() -> None:
    with (
        ScriptedServer(Scripted(500, {})) as server,
        Client(
            api_key=KEY, base_url=server.url, retry_delay=0, retry_budget=10
        ) as client,
    ):
        method = getattr(client, CALLS[0].name)
        for _ in range(20):
            with pytest.raises(errors.ServerError):
                method(CALLS[0].input)
    assert len(server.requests) == 20 + 10


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (400, {"error_message": "no such field"}, errors.BadRequestError),
        (401, {"error": "unauthorized"}, errors.UnauthorizedError),
        (403, {"error": "tenant_suspended"}, errors.TenantSuspendedError),
        (403, {"error": "app_key_graph_denied"}, errors.AppKeyGraphDeniedError),
        (403, b"origin not in app key allowlist", errors.ForbiddenError),
        (404, {"error_message": "node not found"}, errors.NotFoundError),
        (413, {"error": "payload_too_large"}, errors.PayloadTooLargeError),
        (418, b"", errors.StatusError),
        (422, {"error_message": "no words"}, errors.NodeFailedError),
        (429, {"error": "rate limit exceeded"}, errors.RateLimitedError),
        (429, {"error": "quota_exceeded"}, errors.QuotaExceededError),
        (500, {"error_message": "broken"}, errors.ServerError),
        (502, {"error_message": "lost"}, errors.UpstreamUnavailableError),
        (503, {"error": "quota_unavailable"}, errors.UpstreamUnavailableError),
        (504, b"<html>", errors.UpstreamUnavailableError),
    ],
)
def test_statuses_map_to_error_classes(
    call: Any, status: int, body: Any, kind: Any
) -> None:
    head = {"X-Execution-Id": "f" * 32}
    with (
        ScriptedServer(Scripted(status, body, head)) as server,
        pytest.raises(errors.SvcError) as caught,
    ):
        call(server, max_retries=0)
    error = caught.value
    assert type(error) is kind
    assert (error.status, error.execution_id) == (status, "f" * 32)
    assert error.body == (body.decode() if isinstance(body, bytes) else body)
    if isinstance(body, dict):
        assert next(iter(body.values())) in str(error)


@pytest.mark.parametrize("body", [b"<html>", b"", b"[[[", b'"\xff'])
def test_invalid_responses_are_errors(call: Any, body: bytes) -> None:
    with (
        ScriptedServer(Scripted(200, body)) as server,
        pytest.raises(errors.InvalidResponseError) as caught,
    ):
        call(server)
    assert caught.value.status == 200
    assert ("check the base URL" in str(caught.value)) == (body == b"<html>")
    assert len(server.requests) == 1


def test_truncated_responses_are_errors(call: Any) -> None:
    with (
        ScriptedServer(ok(cut=1)) as server,
        pytest.raises(errors.InterruptedResponseError),
    ):
        call(server)
    assert len(server.requests) == 3


def test_unreachable_services_are_errors(call: Any) -> None:
    # A bound port that does not listen refuses connections, and stays reserved.
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{bound.getsockname()[1]}"
        with pytest.raises(errors.ConnectionFailedError):
            call(SimpleNamespace(url=url))


def test_the_timeout_covers_retries(call: Any) -> None:
    def check(given: tuple[Any, Any]) -> None:
        settings, options = given
        with pytest.raises(errors.TimedOutError):
            call(server, settings, **options)

    with ScriptedServer(ok(delay=60)) as server:
        started = time.monotonic()
        side_by_side(check, [({}, {"timeout": 2}), ({"timeout": 2}, {})])
        assert time.monotonic() - started < 50
        server.wait_for(2)
    assert len(server.requests) == 2


def test_cancelling_a_task_cancels_its_call() -> None:
    async def cancel(server: ScriptedServer) -> None:
        async with AsyncClient(api_key=KEY, base_url=server.url) as client:
            task = asyncio.create_task(getattr(client, CALLS[0].name)(CALLS[0].input))
            await asyncio.to_thread(server.wait_for, 1)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    with ScriptedServer(ok(delay=60)) as server:
        started = time.monotonic()
        asyncio.run(cancel(server))
        assert time.monotonic() - started < 50
    assert len(server.requests) == 1


def test_clients_close_their_connections() -> None:
    async def call(url: str) -> Any:
        async with AsyncClient(api_key=KEY, base_url=url) as client:
            await getattr(client, CALLS[0].name)(CALLS[0].input)
        return client

    with ScriptedServer(ok()) as server:
        clients = [
            Client(api_key=KEY, base_url=server.url),
            asyncio.run(call(server.url)),
        ]
        clients[0].close()
        with pytest.raises(errors.ConfigurationError, match="closed"):
            getattr(clients[0], CALLS[0].name)(CALLS[0].input)
        with pytest.raises(errors.ConfigurationError, match="closed"):
            asyncio.run(getattr(clients[1], CALLS[0].name)(CALLS[0].input))


def test_custom_transports_stay_open() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        assert request.url == f"https://svc.example/prefix{CALLS[0].path}"
        return httpx.Response(200, json=CALLS[0].output)

    http = httpx.Client(transport=httpx.MockTransport(answer))
    url = "https://svc.example/prefix/"
    with Client(api_key=KEY, base_url=url, http_client=http) as client:
        assert getattr(client, CALLS[0].name)(CALLS[0].input) == CALLS[0].answer
    assert not http.is_closed


def test_the_key_is_never_shown(call: Any, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    echo = {"error_message": f"bad header Bearer {KEY}"}
    with ScriptedServer(Scripted(503, echo), Scripted(422, echo)) as server:
        with pytest.raises(errors.NodeFailedError) as caught:
            call(server)
        client = Client(api_key=KEY, base_url=server.url)
    shown = [repr(client), repr(client.__dict__), caplog.text, repr(vars(caught.value))]
    assert not [text for text in shown if KEY in text]
    assert "[redacted]" in str(caught.value)
    assert "attempt 2" in caplog.text


@pytest.mark.parametrize(
    "options",
    [
        {"idempotency_key": "\u00e9"},
        {"headers": {"X-Line": "a\r\nb: c"}},
        {"headers": {"": "a"}},
        {"timeout": 0},
        {"max_retries": -1},
    ],
)
def test_malformed_options_are_rejected(call: Any, options: Any) -> None:
    with ScriptedServer(ok()) as server:
        with pytest.raises(errors.ConfigurationError):
            call(server, **options)
        assert not server.requests


def test_settings_default_to_environment_variables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("SVC_API_KEY", raising=False)
    monkeypatch.delenv("SVC_BASE_URL", raising=False)
    with pytest.raises(errors.ConfigurationError, match="SVC_API_KEY"):
        Client()
    monkeypatch.setenv("SVC_API_KEY", KEY)
    with pytest.raises(errors.ConfigurationError, match="SVC_BASE_URL"):
        Client()
    with ScriptedServer(ok()) as server:
        monkeypatch.setenv("SVC_BASE_URL", server.url)
        with Client() as client:
            getattr(client, CALLS[0].name)(CALLS[0].input)


@pytest.mark.parametrize(
    "settings",
    [
        {"api_key": "two words"},
        {"api_key": "line\nbreak"},
        {"api_key": "\u00e9"},
        {"base_url": "svc.example"},
        {"base_url": "ftp://svc.example"},
        {"base_url": "http://[svc"},
        {"base_url": "https://me:secret@svc.example"},
        {"base_url": "https://svc.example/?a=1"},
        {"timeout": 0},
        {"max_retries": -1},
        {"headers": {"X-Line": "a\nb"}},
    ],
)
def test_malformed_settings_are_rejected(settings: Any) -> None:
    given = {"api_key": KEY, "base_url": "https://svc.example", **settings}
    with pytest.raises(errors.ConfigurationError) as caught:
        Client(**given)
    assert "secret" not in str(caught.value)


@pytest.mark.skipif(not NODES, reason="flows are not retried after four minutes")
@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_a_call_is_retried_after_a_long_attempt(
    monkeypatch: pytest.MonkeyPatch, *, is_async: bool
) -> None:
    now = 0.0
    sample = NODES[0]

    def hang_once(request: httpx.Request) -> httpx.Response:
        nonlocal now
        if now:
            return httpx.Response(200, json=sample.output)
        now = 299.9
        raise httpx.ReadTimeout("no response", request=request)

    async def hang_once_async(request: httpx.Request) -> httpx.Response:
        return hang_once(request)

    async def call_async(settings: Any) -> Any:
        transport = httpx.MockTransport(hang_once_async)
        async with httpx.AsyncClient(transport=transport) as http:
            client = AsyncClient(http_client=http, **settings)
            return await getattr(client, sample.name)(sample.input)

    monkeypatch.setattr(time, "monotonic", lambda: now)
    settings: Any = {"api_key": KEY, "base_url": "http://svc.invalid"}
    settings |= {"timeout": None, "attempt_timeout": 300, "retry_delay": 0}
    if is_async:
        assert asyncio.run(call_async(settings)) == sample.answer
        return
    with httpx.Client(transport=httpx.MockTransport(hang_once)) as http:
        client = Client(http_client=http, **settings)
        assert getattr(client, sample.name)(sample.input) == sample.answer
