"""Tests of pauses against a scripted server."""

from __future__ import annotations

import importlib
import json
import logging
import traceback
from datetime import datetime, timezone
from typing import Any

import pytest
from scripted_server import Scripted, ScriptedServer
from sdk import Client, errors
from test_flows import KEY, RUN, Awaiting, Blocking, find, record

PAUSE = {
    "pause_id": "p-1",
    "execution_id": RUN,
    "graph_id": "g-1",
    "node_name": "ask",
    "status": "WAITING",
    "interrupt_payload": {"question": "go?", "large": 9007199254740993},
    "resume_schema": "acme.v1.Go",
    "checkpoint_id": "c-1",
    "created_at": "2026-01-31T09:30:00.000Z",
    "expires_at": "2026-02-01T09:30:00.000Z",
    "resume_url": "https://svc.example.com/secret",
    "resumed_at": None,
    "escalated_at": None,
}
RESUMED = {
    "pause_id": "p-1",
    "status": "RESUMED",
    "resumed_at": "2026-01-31T09:31:00.000Z",
    "resumed_by": "bob",
    "resume_value": {"go": True},
    "already_resumed": True,
}


@pytest.fixture(params=[Blocking, Awaiting], ids=["sync", "async"])
def way(request: pytest.FixtureRequest) -> Any:
    """One of the clients."""
    return request.param


def test_a_wait_ends_at_a_pause(way: Any) -> None:
    paused = Scripted(
        body={"execution_id": RUN, "status": "RUNNING", "pause_id": "p-1"}
    )
    with (
        ScriptedServer(record("RUNNING"), paused) as server,
        pytest.raises(errors.FlowPausedError) as caught,
    ):
        way(server.url)(lambda client: find(client).wait())
    error = caught.value
    assert error.execution is not None
    assert error.code == "flow_paused"
    assert (error.pause_id, error.execution_id, error.execution.id) == ("p-1", RUN, RUN)


def test_pauses_are_typed(way: Any) -> None:
    with ScriptedServer(Scripted(body={"pauses": [PAUSE]})) as server:
        (pause,) = way(server.url)(lambda client: find(client).pauses())
    assert (pause.id, pause.execution_id, pause.node_name) == ("p-1", RUN, "ask")
    assert pause.graph_id == "g-1"
    assert pause.question == {"question": "go?", "large": 9007199254740993}
    assert (pause.status, pause.decision_type) == ("WAITING", "acme.v1.Go")
    assert pause.expires_at.isoformat() == "2026-02-01T09:30:00+00:00"
    assert (pause.resumed_at, pause.resumed_by, pause.decision) == (None, None, None)
    assert pause.resume_url == "https://svc.example.com/secret"
    assert "secret" not in repr(pause)
    assert server.requests[0].path == f"/invocations/v1/executions/{RUN}/pauses"


@pytest.mark.parametrize(
    ("decision", "value"),
    [
        (None, {}),
        ({"go": [1, None]}, {"value": {"go": [1, None]}}),
        (b"\x0a\x02go", {"value": "CgJnbw=="}),
        (b"", {"value": ""}),
    ],
)
def test_a_decision_is_sent(way: Any, decision: Any, value: Any) -> None:
    with ScriptedServer(Scripted(body=RESUMED)) as server:
        resumed = way(server.url)(
            lambda client: find(client).resume("p-1", decision, resumed_by="ann")
        )
    assert (resumed.pause_id, resumed.status) == ("p-1", "RESUMED")
    assert (resumed.decision, resumed.already_resumed) == ({"go": True}, True)
    assert resumed.resumed_by == "bob"
    request = server.requests[0]
    assert request.path == f"/invocations/v1/flows/{RUN}/resume"
    assert request.headers["idempotency-key"]
    assert json.loads(request.body) == {"pause_id": "p-1", "resumed_by": "ann"} | value


@pytest.mark.parametrize("decision", ["go", 1, [1], {"go": object()}, {"go": "\ud800"}])
def test_unsupported_decisions_are_rejected(decision: Any) -> None:
    client: Any = Client(api_key=KEY, base_url="http://svc.invalid")
    with pytest.raises(errors.MessageError):
        find(client).resume("p-1", decision)


def test_the_error_names_an_argument_of_the_wrong_type() -> None:
    wrong: Any = "go"
    run = find(Client(api_key=KEY, base_url="http://svc.invalid"))
    with pytest.raises(errors.MessageError, match=r"^the decision must be .* got str"):
        run.resume("p-1", wrong)
    with pytest.raises(errors.MessageError, match=r"^the message must be .* got str"):
        run.fork(message=wrong)


@pytest.mark.parametrize(
    ("value", "advice"),
    [
        (datetime(2026, 1, 31, tzinfo=timezone.utc), "a string with its offset"),
        (b"go", "a string of base64"),
        ({1}, "None, a bool, a number"),
    ],
)
def test_the_error_suggests_a_replacement(value: Any, advice: str) -> None:
    run = find(Client(api_key=KEY, base_url="http://svc.invalid"))
    text = f"{type(value).__name__} is not a JSON value: pass {advice}"
    with pytest.raises(errors.MessageError, match=text):
        run.resume("p-1", {"due": [value]})


def test_an_empty_pause_id_is_rejected() -> None:
    client: Any = Client(api_key=KEY, base_url="http://svc.invalid")
    with pytest.raises(errors.MessageError):
        find(client).resume("", {})


def test_a_rejected_decision_has_an_error_code(way: Any) -> None:
    refused = {"error": "PAUSE_NOT_WAITING", "code": "pause_not_waiting"}
    with (
        ScriptedServer(Scripted(409, refused)) as server,
        pytest.raises(errors.StatusError) as caught,
    ):
        way(server.url)(lambda client: find(client).resume("p-1", None))
    error = caught.value
    assert (error.code, error.execution_id) == ("pause_not_waiting", RUN)
    assert len(server.requests) == 1


@pytest.mark.parametrize("name", ["get", "cancel", "pauses", "resume", "fork"])
def test_the_error_message_names_the_execution(way: Any, name: str) -> None:
    given = ["p-1", None] if name == "resume" else []
    refused = Scripted(404, {"message": "unknown"}, headers={"X-Request-Id": "r-1"})
    with (
        ScriptedServer(refused) as server,
        pytest.raises(errors.NotFoundError) as caught,
    ):
        way(server.url)(lambda client: getattr(find(client), name)(*given))
    assert str(caught.value) == f"unknown (HTTP 404, execution {RUN}, request r-1)"


def test_the_pauses_of_all_runs_are_read_page_by_page(way: Any) -> None:
    newer = PAUSE | {"pause_id": "p-2", "status": "DREAMING"}
    pages = (
        Scripted(body={"pauses": [newer], "next_cursor": "next page"}),
        Scripted(body={"pauses": [PAUSE]}),
    )
    with ScriptedServer(*pages) as server:
        pauses = way(server.url)(
            lambda client: way.listed(client.pauses(status="WAITING", page_size=1))
        )
    assert [(pause.id, pause.status) for pause in pauses] == [
        ("p-2", "DREAMING"),
        ("p-1", "WAITING"),
    ]
    assert [request.path.partition("?")[2] for request in server.requests] == [
        "status=WAITING&limit=1",
        "status=WAITING&limit=1&cursor=next+page",
    ]


def test_a_repeated_pause_cursor_is_an_error(way: Any) -> None:
    answer = Scripted(body={"pauses": [], "next_cursor": "a"})
    with (
        ScriptedServer(answer) as server,
        pytest.raises(errors.InvalidResponseError, match="next_cursor"),
    ):
        way(server.url)(lambda client: way.listed(client.pauses()))
    assert len(server.requests) == 2


@pytest.mark.parametrize("body", [[], {}, {"pauses": {}}, {"pauses": [{}]}])
def test_responses_without_pauses_are_errors(way: Any, body: Any) -> None:
    with (
        ScriptedServer(Scripted(body=body)) as server,
        pytest.raises(errors.InvalidResponseError),
    ):
        way(server.url)(lambda client: find(client).pauses())


@pytest.mark.parametrize(
    "body",
    [
        [PAUSE],
        {"pauses": PAUSE},
        {"pauses": [PAUSE | {"status": None}]},
        {"pauses": [PAUSE | {"expires_at": "tomorrow"}]},
        json.dumps({"pauses": [PAUSE]}).encode()[:-1],
        json.dumps({"pauses": [PAUSE]}).encode() + b"\xff",
    ],
)
def test_errors_do_not_expose_the_resume_url(
    way: Any, body: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with (
        ScriptedServer(Scripted(body=body)) as server,
        pytest.raises(errors.InvalidResponseError) as caught,
    ):
        way(server.url)(lambda client: find(client).pauses())
    error = caught.value
    shown = [repr(error), *traceback.format_exception(error), caplog.text]
    assert not [text for text in shown if "example.com/secret" in text]
    assert "example.com/secret" in str(error.body)


def test_records_can_be_constructed_with_defaults() -> None:
    pauses = importlib.import_module("._pause", errors.__package__)
    records = importlib.import_module("._execution_record", errors.__package__)
    made = pauses.Pause(id="p-1", execution_id=RUN, node_name="ask", status="WAITING")
    assert (made.question, made.resume_url) == (None, None)
    assert not pauses.ResumedPause(pause_id="p-1", status="RESUMED").already_resumed
    record = records.ExecutionRecord(id=RUN, status=records.ExecutionStatus.COMPLETED)
    assert (record.is_terminal, record.fields) == (True, {})
    events = importlib.import_module("._execution_event", errors.__package__)
    assert events.ExecutionEvent(type="NODE_STARTED").time.year == 1970
