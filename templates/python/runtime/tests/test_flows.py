"""Tests of runs of flows against a scripted server."""

from __future__ import annotations

import asyncio
import copy
import importlib
import json
import logging
import math
import ssl
import time
from typing import TYPE_CHECKING, Any
from unittest.mock import create_autospec

import httpx
import pytest
from scripted_server import Scripted, ScriptedServer
from sdk import FLOW, AsyncClient, Client, errors
from side_by_side import side_by_side

if TYPE_CHECKING:
    from collections.abc import Callable

KEY = "0123456789abcdef" * 4
RUN = "00000000000000000000000000c0ffee"
CERTIFICATES = ssl.create_default_context()


class Blocking:
    """Runs flows through the synchronous client."""

    def __init__(self, url: str) -> None:
        self._http = httpx.Client(verify=CERTIFICATES)
        self.client: Any = Client(
            api_key=KEY, base_url=url, http_client=self._http, retry_delay=0.001
        )

    def __call__(self, work: Callable[[Any], Any]) -> Any:
        """Run ``work`` with a client."""
        with self._http:
            return work(self.client)

    @staticmethod
    def listed(events: Any) -> Any:
        """Read all events."""
        return list(events)


class Awaiting:
    """Runs flows through the asyncio client."""

    def __init__(self, url: str) -> None:
        self._url = url

    def __call__(self, work: Callable[[Any], Any]) -> Any:
        """Run ``work`` with a client."""

        async def run() -> Any:
            async with httpx.AsyncClient(verify=CERTIFICATES) as http:
                client: Any = AsyncClient(
                    api_key=KEY, base_url=self._url, http_client=http, retry_delay=0.001
                )
                return await work(client)

        return asyncio.run(run())

    @staticmethod
    async def listed(events: Any) -> Any:
        """Read all events."""
        return [event async for event in events]


WAYS = [Blocking, Awaiting]


@pytest.fixture(params=WAYS, ids=["sync", "async"])
def way(request: pytest.FixtureRequest) -> Any:
    """One of the clients."""
    return request.param


def accepted(**fields: Any) -> Scripted:
    """Respond that a run was started, with additional ``fields``."""
    return Scripted(202, {"accepted": True, "execution_id": RUN, **fields})


def ended(output: Any) -> Scripted:
    """Respond with a completed run."""
    return accepted(result={"success": True, "output": output, "completed_at": 1})


def record(status: str) -> Scripted:
    """Respond with an execution record."""
    return Scripted(body={"execution_id": RUN, "status": status})


def page(*events: Any, **more: Any) -> Scripted:
    """Respond with a page of events."""
    return Scripted(body={"events": events, **more})


COMPLETED = page({"type": "FLOW_COMPLETED", "output": {"count": 7}})


def run(client: Any, **options: Any) -> Any:
    """Run the flow."""
    return client._run(FLOW, {"count": 5}, options)


def find(client: Any) -> Any:
    """Return a handle to the run."""
    return client._execution(FLOW, RUN)


def test_running_a_flow_returns_its_output(way: Any) -> None:
    with ScriptedServer(ended({"count": 6})) as server:
        answer = way(server.url)(run)
    assert (answer.value, answer.status, answer.execution_id) == (
        {"count": 6},
        202,
        RUN,
    )
    request = server.requests[0]
    assert (request.method, request.path) == ("POST", "/invocations/v1/flows/invoke")
    assert request.headers["idempotency-key"]
    assert json.loads(request.body) == {
        "graph_id": "g-1",
        "input": {"count": 5},
        "wait": True,
        "timeout_seconds": 50,
    }


def test_the_requested_wait_is_within_the_timeout(way: Any) -> None:
    refused = Scripted(429, {}, {"Retry-After": "0"})
    with ScriptedServer(refused, ended({})) as server:
        began = time.monotonic()
        way(server.url)(lambda client: run(client, timeout=9.9))
        left = 9.9 - (time.monotonic() - began)
    waits = [json.loads(request.body)["timeout_seconds"] for request in server.requests]
    # The last second is reserved for the response.
    assert len(waits) == 2
    assert all(math.floor(left - 1) <= seconds <= 8 for seconds in waits)
    assert len(set(server.keys())) == 1


def test_a_retry_after_a_failure_does_not_ask_the_service_to_wait(way: Any) -> None:
    refused = Scripted(429, {}, {"Retry-After": "0"})
    with ScriptedServer(Scripted(504, {}), refused, ended({})) as server:
        way(server.url)(run)
    assert ["wait" in json.loads(sent.body) for sent in server.requests] == [
        True,
        False,
        False,
    ]


def test_a_retry_after_a_401_asks_the_service_to_wait() -> None:
    tokens = iter([KEY, KEY[::-1]])
    refused = Scripted(401, {"error": "unauthorized"})
    with (
        ScriptedServer(refused, ended({})) as server,
        Client(api_key=lambda: next(tokens), base_url=server.url) as client,
    ):
        run(client)
    assert ["wait" in json.loads(sent.body) for sent in server.requests] == [True, True]


def test_a_retried_stream_requests_the_remaining_time() -> None:
    last = b'data: {"is_final": true, "success": true}\n\n'
    stream = Scripted(body=last, headers={"Content-Type": "text/event-stream"})
    with (
        ScriptedServer(Scripted(503, {}), stream) as server,
        Client(api_key=KEY, base_url=server.url, retry_delay=0.001) as client,
        client._stream(FLOW, {}, {"timeout": 90}) as frames,
    ):
        began = time.monotonic()
        assert list(frames) == []
        left = 90 - (time.monotonic() - began)
    runs = [json.loads(request.body)["timeout_seconds"] for request in server.requests]
    assert len(runs) == 2
    assert all(math.ceil(left) <= seconds <= 90 for seconds in runs)


@pytest.mark.parametrize(
    ("statuses", "starts"),
    [
        ([503, 503, 503], [0, 130]),
        ([503, 401, 503], [0, 130]),
        ([429, 429, 429], [0, 130, 260]),
    ],
)
def test_no_retry_starts_after_the_idempotency_key_may_have_expired(
    monkeypatch: pytest.MonkeyPatch, statuses: list[int], starts: list[float]
) -> None:
    now = 0.0
    sent: list[float] = []
    monkeypatch.setattr(time, "monotonic", lambda: now)

    def answer(_: httpx.Request) -> httpx.Response:
        nonlocal now
        sent.append(now)
        now += 130
        status = statuses[len(sent) - 1]
        return httpx.Response(status, headers={"Retry-After": "0"})

    with httpx.Client(transport=httpx.MockTransport(answer)) as http:
        client: Any = Client(
            api_key=lambda: KEY,
            base_url="http://svc.invalid",
            http_client=http,
            timeout=None,
        )
        with pytest.raises(errors.StatusError) as caught:
            run(client)
    assert sent == starts
    assert caught.value.attempts == len(starts)


@pytest.mark.parametrize(
    ("work", "attempts"),
    [
        (run, 1),
        (lambda client: client._start(FLOW, {}, {}), 1),
        (lambda client: find(client).fork(), 1),
        (lambda client: find(client).get(), 3),
        (lambda client: find(client).resume("p-1", None), 3),
        (lambda client: next(client._stream(FLOW, {}, {"timeout": None})), 3),
    ],
    ids=["run", "start", "fork", "get", "resume", "stream"],
)
def test_only_calls_that_start_a_run_stop_retrying_after_four_minutes(
    monkeypatch: pytest.MonkeyPatch, work: Any, attempts: int
) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)

    def hang(request: httpx.Request) -> httpx.Response:
        nonlocal now
        now += 300
        raise httpx.ReadTimeout("no response", request=request)

    with httpx.Client(transport=httpx.MockTransport(hang)) as http:
        client: Any = Client(
            api_key=KEY,
            base_url="http://svc.invalid",
            http_client=http,
            timeout=None,
            attempt_timeout=300,
            retry_delay=0,
        )
        with pytest.raises(errors.TimedOutError) as caught:
            work(client)
    assert caught.value.attempts == attempts


def test_a_failed_run_is_an_error(way: Any) -> None:
    result = {"success": False, "error_message": "no words"}
    with (
        ScriptedServer(accepted(result=result)) as server,
        pytest.raises(errors.FlowFailedError, match=r"^no words") as caught,
    ):
        way(server.url)(run)
    assert (caught.value.execution_id, caught.value.status) == (RUN, 202)
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", ["FAILED", "CANCELLED", "FORKED"])
def test_the_error_of_a_failed_run_has_its_record(way: Any, status: str) -> None:
    ended_so = {"execution_id": RUN, "status": status, "failed_node_name": "count"}
    failed = {"type": "FLOW_FAILED", "error": "no words"}
    script = (accepted(), Scripted(body=ended_so), Scripted(body={"events": [failed]}))
    with (
        ScriptedServer(*script) as server,
        pytest.raises(errors.FlowFailedError) as caught,
    ):
        way(server.url)(run)
    error = caught.value
    assert error.execution.id == RUN
    assert error.record is not None
    assert (error.record.status, error.record.failed_node_name) == (status, "count")
    assert copy.copy(error).record == error.record


def test_a_paused_run_is_an_error(way: Any) -> None:
    paused = accepted(execution_status="PAUSED", pause_id="p-1")
    with (
        ScriptedServer(paused) as server,
        pytest.raises(errors.FlowPausedError) as caught,
    ):
        way(server.url)(run)
    error = caught.value
    assert error.execution is not None
    assert (error.pause_id, error.execution.id) == ("p-1", RUN)
    other = copy.copy(error)
    assert (other.pause_id, other.execution_id, other.execution) == ("p-1", RUN, None)


def test_the_client_polls_after_the_service_stops_waiting(way: Any) -> None:
    running = accepted(execution_status="RUNNING", error_message="timeout waiting")
    script = (running, record("RUNNING"), record("COMPLETED"), COMPLETED)
    with ScriptedServer(*script) as server:
        assert way(server.url)(run).value == {"count": 7}
    assert len(server.requests) == 4


def test_the_error_of_a_timed_out_wait_has_the_run() -> None:
    def check(way: Any) -> None:
        running = accepted(execution_status="RUNNING")
        with (
            ScriptedServer(running, record("RUNNING")) as server,
            pytest.raises(errors.WaitTimedOutError) as caught,
        ):
            way(server.url)(lambda client: run(client, timeout=3))
        assert isinstance(caught.value, errors.TimedOutError)
        assert caught.value.execution is not None
        assert caught.value.execution.id == caught.value.execution_id == RUN

    side_by_side(check, WAYS)


@pytest.mark.parametrize(
    "body",
    [
        b"<html>",
        [],
        {},
        {"execution_id": RUN, "result": {"success": True}},
        {"execution_id": RUN, "result": {"success": True, "output": []}},
    ],
)
def test_responses_without_a_run_are_errors(way: Any, body: Any) -> None:
    with (
        ScriptedServer(Scripted(202, body)) as server,
        pytest.raises(errors.InvalidResponseError),
    ):
        way(server.url)(run)


def test_starting_a_flow_returns_the_run(way: Any) -> None:
    with ScriptedServer(accepted()) as server:
        started = way(server.url)(lambda client: client._start(FLOW, {}, {}))
    assert started.value.id == RUN
    assert server.requests[0].body == b'{"graph_id":"g-1","input":{}}'
    assert server.requests[0].headers["idempotency-key"]


def test_a_run_reads_its_record(way: Any) -> None:
    with ScriptedServer(record("QUEUED")) as server:
        read = way(server.url)(lambda client: find(client).get())
    assert (read.id, read.status, read.is_terminal) == (RUN, "QUEUED", False)
    request = server.requests[0]
    assert (request.method, request.body) == ("GET", b"")
    assert request.path == f"/invocations/v1/executions/{RUN}"


def test_a_run_can_be_waited_for_by_its_id(way: Any) -> None:
    script = (record("RUNNING"), record("COMPLETED"), page(next_cursor="c"), COMPLETED)
    with ScriptedServer(*script) as server:
        output = way(server.url)(lambda client: find(client).wait())
    assert output == {"count": 7}
    path, _, query = server.requests[2].path.partition("?")
    assert path == f"/invocations/v1/executions/{RUN}/events"
    assert query == "decode=true&event_type=FLOW_COMPLETED&event_type=FLOW_FAILED"
    assert server.requests[3].path.endswith("&cursor=c")


@pytest.mark.parametrize("status", ["FAILED", "CANCELLED", "FORKED"])
def test_an_unsuccessful_run_is_an_error(way: Any, status: str) -> None:
    failed = page({"type": "FLOW_FAILED", "error": "no words"})
    with (
        ScriptedServer(record(status), failed) as server,
        pytest.raises(errors.FlowFailedError) as caught,
    ):
        way(server.url)(lambda client: find(client).wait())
    assert caught.value.execution_id == RUN
    assert str(caught.value).startswith("no words")


def test_waiting_by_id_respects_the_timeout() -> None:
    def check(way: Any) -> None:
        with (
            ScriptedServer(record("RUNNING")) as server,
            pytest.raises(errors.WaitTimedOutError) as caught,
        ):
            way(server.url)(lambda client: find(client).wait(timeout=1))
        assert caught.value.execution is not None
        assert caught.value.execution.id == RUN
        assert caught.value.attempts == 1

    side_by_side(check, WAYS)


def test_a_timed_out_wait_reports_the_last_failed_poll() -> None:
    def check(way: Any) -> None:
        with (
            ScriptedServer(Scripted(503, {"message": "restarting"})) as server,
            pytest.raises(errors.WaitTimedOutError) as caught,
        ):
            way(server.url)(lambda client: find(client).wait(timeout=3))
        assert caught.value.status == 503
        said = f"execution {RUN} did not end in time; it may still be running: "
        assert str(caught.value).startswith(said)
        assert "restarting" in str(caught.value)

    side_by_side(check, WAYS)


def test_failed_polls_are_not_retried_as_attempts(
    way: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    down = Scripted(503, {})
    script = (down, down, down, record("COMPLETED"), down, record("COMPLETED"))
    with ScriptedServer(*script, COMPLETED) as server:
        way(server.url)(lambda client: find(client).wait(max_retries=1))
    assert len(server.requests) == 7
    assert caplog.text.count(f"/executions/{RUN}: polling again in ") == 4
    assert "starting attempt" not in caplog.text


def test_no_poll_is_logged_past_the_timeout(
    way: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    with (
        ScriptedServer(Scripted(503, {}, {"Retry-After": "30"})) as server,
        pytest.raises(errors.WaitTimedOutError),
    ):
        way(server.url)(lambda client: find(client).wait(timeout=0.3))
    assert "polling again" not in caplog.text


def test_polling_honours_retry_after() -> None:
    def check(way: Any) -> None:
        busy = Scripted(429, {}, {"Retry-After": "1"})
        with ScriptedServer(busy, record("COMPLETED"), COMPLETED) as server:
            began = time.monotonic()
            way(server.url)(lambda client: find(client).wait())
        assert time.monotonic() - began >= 1

    side_by_side(check, WAYS)


def test_a_wait_that_times_out_in_a_stalled_poll_says_so() -> None:
    def check(way: Any, is_first: bool) -> None:
        seen = [] if is_first else [record("RUNNING")]
        with (
            ScriptedServer(*seen, Scripted(delay=30)) as server,
            pytest.raises(errors.WaitTimedOutError) as caught,
        ):
            way(server.url)(lambda client: find(client).wait(timeout=1.4))
        said = f"execution {RUN} did not end in time; it may still be running: the call"
        assert str(caught.value).startswith(said)
        assert isinstance(caught.value.__cause__, errors.TimedOutError)
        assert caught.value.attempts == 1

    side_by_side(check, WAYS, [True, False])


@pytest.mark.parametrize("is_set", [True, False])
def test_a_stalled_poll_does_not_use_up_the_wait(
    monkeypatch: pytest.MonkeyPatch, *, is_set: bool
) -> None:
    calls = importlib.import_module("._calls", errors.__package__)
    assert calls.LONGEST_POLL == 30
    monkeypatch.setattr(calls, "LONGEST_POLL", 30 if is_set else 2)

    def check(way: Any) -> None:
        options = {"attempt_timeout": 2} if is_set else {}
        hangs = Scripted(delay=60)
        script = (hangs, record("COMPLETED"), hangs, record("COMPLETED"), COMPLETED)
        began = time.monotonic()
        with ScriptedServer(*script) as server:
            output = way(server.url)(lambda client: find(client).wait(**options))
            assert (output, len(server.requests)) == ({"count": 7}, 5)
            assert time.monotonic() - began < 50

    side_by_side(check, WAYS)


def test_an_untyped_execution_returns_json(way: Any) -> None:
    output = {"order": "A-1", "lines": [1, None], "large": 9007199254740993}
    end = page({"type": "FLOW_COMPLETED", "event_ulid": "1", "output": output})
    with ScriptedServer(record("COMPLETED"), end) as server:
        given = way(server.url)(lambda client: client.execution(RUN).wait())
    assert given == output


def test_the_id_of_an_untyped_execution_is_validated(way: Any) -> None:
    with pytest.raises(errors.MessageError, match="32 hexadecimal digits"):
        way("http://svc.invalid")(lambda client: client.execution("../secrets").get())


def test_a_wait_uses_all_of_its_timeout(way: Any) -> None:
    began: list[float] = []

    def wait(client: Any) -> Any:
        began.append(time.monotonic())
        return find(client).wait(timeout=0.5)

    with (
        ScriptedServer(record("RUNNING")) as server,
        pytest.raises(errors.WaitTimedOutError),
    ):
        way(server.url)(wait)
    assert time.monotonic() - began[0] >= 0.49


def test_a_short_timeout_does_not_ask_the_service_to_wait() -> None:
    def check(way: Any) -> None:
        with (
            ScriptedServer(accepted(), record("RUNNING")) as server,
            pytest.raises(errors.WaitTimedOutError) as caught,
        ):
            way(server.url)(lambda client: run(client, timeout=1.9))
        assert caught.value.execution is not None
        assert caught.value.execution.id == caught.value.execution_id == RUN
        assert server.requests[0].body == b'{"graph_id":"g-1","input":{"count":5}}'

    side_by_side(check, WAYS)


def test_events_without_a_final_event_are_an_error(way: Any) -> None:
    with (
        ScriptedServer(record("COMPLETED"), page()) as server,
        pytest.raises(errors.InvalidResponseError),
    ):
        way(server.url)(lambda client: find(client).wait())


def test_events_are_read_page_by_page(way: Any) -> None:
    first = {"type": "NODE_STARTED", "event_ulid": "1", "timestamp_ms": 5}
    second = {"type": "NODE_DREAMT", "event_ulid": "2", "dream": "sheep"}
    script = (page(first, next_cursor="next page"), page(second))
    with ScriptedServer(*script) as server:
        events = way(server.url)(
            lambda client: way.listed(find(client).events(node_name="a b", page_size=1))
        )
    assert [(event.ulid, event.timestamp_ms) for event in events] == [
        ("1", 5),
        ("2", 0),
    ]
    assert events[1].fields["dream"] == "sheep"
    assert [request.path.partition("?")[2] for request in server.requests] == [
        "decode=true&node_name=a+b&limit=1",
        "decode=true&node_name=a+b&limit=1&cursor=next+page",
    ]


def test_records_and_events_are_hashable(way: Any) -> None:
    begun = {"type": "NODE_STARTED", "event_ulid": "1", "input": {"text": "in"}}
    ended = {"type": "NODE_COMPLETED", "event_ulid": "2", "output": {"text": "out"}}
    with ScriptedServer(page(begun, ended, begun)) as server:
        events = way(server.url)(lambda client: way.listed(find(client).events()))
    assert len(set(events)) == 2
    with ScriptedServer(record("QUEUED")) as server:
        assert len({way(server.url)(lambda client: find(client).get())}) == 1


@pytest.mark.parametrize(
    ("types", "query"),
    [
        ("NODE_FAILED", "&event_type=NODE_FAILED"),
        (("NODE_FAILED", "X"), "&event_type=NODE_FAILED&event_type=X"),
        ((), ""),
    ],
)
def test_events_can_be_filtered_by_one_or_more_types(
    way: Any, types: Any, query: str
) -> None:
    with ScriptedServer(page()) as server:
        events = way(server.url)(
            lambda client: way.listed(find(client).events(types=types))
        )
    assert events == []
    assert server.requests[0].path.partition("?")[2] == f"decode=true{query}"


def test_an_unknown_run_is_an_error(way: Any) -> None:
    unknown = Scripted(404, {"error": "execution not found"})
    with ScriptedServer(unknown) as server, pytest.raises(errors.NotFoundError):
        way(server.url)(lambda client: find(client).wait())


def test_warming_a_flow_sends_its_id(way: Any) -> None:
    with ScriptedServer(Scripted(202, {"warmed": True})) as server:
        answer = way(server.url)(lambda client: client._warm(FLOW, {}))
    assert (answer.value, answer.status) == (None, 202)
    assert server.requests[0].path == "/invocations/v1/flows/warm"
    assert json.loads(server.requests[0].body) == {"graph_id": "g-1"}


@pytest.mark.parametrize("execution_id", ["", "..", f"{RUN}/", None])
def test_malformed_ids_are_rejected(execution_id: Any) -> None:
    client: Any = Client(api_key=KEY, base_url="http://svc.invalid")
    with pytest.raises(errors.MessageError):
        client._execution(FLOW, execution_id)


def test_a_cyclic_input_is_an_error() -> None:
    client: Any = Client(api_key=KEY, base_url="http://svc.invalid")
    ring: list[Any] = []
    ring.append(ring)
    with pytest.raises(errors.MessageError, match="nested too deeply"):
        client._run(FLOW, {"ring": ring}, {})


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_a_mock_of_a_run_has_an_id(kind: Any) -> None:
    run = kind(api_key=KEY, base_url="http://svc.invalid")._execution(FLOW, RUN)
    mocked = create_autospec(type(run), instance=True)
    assert mocked.id is not None
    mocked.id = RUN
    assert mocked.id == run.id


def test_a_timeout_while_reading_the_output_is_not_a_wait_timeout() -> None:
    def check(way: Any) -> None:
        with (
            ScriptedServer(record("COMPLETED"), Scripted(delay=30)) as server,
            pytest.raises(errors.TimedOutError) as caught,
        ):
            way(server.url)(lambda client: find(client).wait(timeout=3))
        assert type(caught.value) is errors.TimedOutError
        assert caught.value.execution_id == RUN

    side_by_side(check, WAYS)


def test_records_include_the_failure_reason(way: Any) -> None:
    failed = {
        "execution_id": RUN,
        "status": "FAILED",
        "error_message": "no words",
        "failed_node_name": "count",
    }
    with ScriptedServer(Scripted(body=failed)) as server:
        read = way(server.url)(lambda client: find(client).get())
    assert (read.error_message, read.failed_node_name) == ("no words", "count")
    assert read.fields == failed


def test_nothing_is_written_to_stderr_without_logging_configuration(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger(), "handlers", [])
    with ScriptedServer(Scripted(503, {})) as server:
        client = Client(api_key=KEY, base_url=server.url, retry_budget=0)
        with pytest.raises(errors.ServerError):
            client._run(FLOW, {}, {})
    assert not capfd.readouterr().err


def test_a_polled_run_keeps_its_original_idempotency_key() -> None:
    def check(way: Any, answers: list[Scripted]) -> None:
        running = accepted(execution_status="RUNNING")
        with ScriptedServer(running, *answers) as server:
            try:
                ended: Any = way(server.url)(lambda client: run(client, timeout=2.5))
            except errors.WaitTimedOutError as error:
                ended = error
        assert ended.idempotency_key == server.keys()[0]

    side_by_side(check, WAYS, [[record("COMPLETED"), COMPLETED], [record("RUNNING")]])


def test_the_error_of_a_polled_run_has_its_original_idempotency_key(
    way: Any,
) -> None:
    running = accepted(execution_status="RUNNING")
    failed = page({"type": "FLOW_FAILED"})
    with (
        ScriptedServer(running, record("FAILED"), failed) as server,
        pytest.raises(errors.FlowFailedError) as caught,
    ):
        way(server.url)(run)
    assert caught.value.idempotency_key == server.keys()[0]


def test_a_repeated_event_cursor_is_an_error(way: Any) -> None:
    with (
        ScriptedServer(page(next_cursor="a"), page(next_cursor="a")) as server,
        pytest.raises(errors.InvalidResponseError, match="next_cursor") as caught,
    ):
        way(server.url)(lambda client: way.listed(find(client).events()))
    assert caught.value.execution_id == RUN
    assert len(server.requests) == 2


@pytest.mark.parametrize("at", [10**15, -(10**15), 10**30])
def test_an_event_time_out_of_range_is_an_error(way: Any, at: int) -> None:
    answer = page({"type": "NODE_LOG", "event_ulid": "1", "timestamp_ms": at})
    with ScriptedServer(answer) as server:
        (event,) = way(server.url)(lambda client: way.listed(find(client).events()))
    assert event.timestamp_ms == at
    with pytest.raises(errors.InvalidResponseError, match="event 1 is out of range"):
        assert event.time
