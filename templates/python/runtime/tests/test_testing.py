"""Tests of the fakes."""

from __future__ import annotations

import asyncio
import importlib
from typing import TYPE_CHECKING, Any
from unittest.mock import create_autospec

import pytest
from sdk import Client, errors

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

testing: Any = importlib.import_module(".testing", errors.__package__)
Event: Any = importlib.import_module(
    "._execution_event", errors.__package__
).ExecutionEvent
Pause: Any = importlib.import_module("._pause", errors.__package__).Pause
RUN = "a" * 32


def waiting(pause_id: str) -> Any:
    """Return a pause that waits for a decision."""
    return Pause(id=pause_id, execution_id=RUN, node_name="ask", status="WAITING")


def test_a_mock_client_returns_fake_streams() -> None:
    client: Any = create_autospec(Client, instance=True)
    client.__enter__.return_value = client
    client.close.return_value = testing.fake_stream([1, 2], execution_id=RUN)
    with client as entered, entered.close() as stream:
        assert list(stream) == [1, 2]
        assert (stream.execution_id, stream.response.status) == (RUN, 200)
    with pytest.raises(errors.ConfigurationError, match="can be read once"):
        list(stream)


def test_a_fake_stream_raises_its_error_after_its_messages() -> None:
    lost = errors.StreamInterruptedError("lost")
    given: list[int] = []
    with pytest.raises(errors.StreamInterruptedError) as caught:
        given.extend(testing.fake_stream(iter([1]), error=lost))
    assert caught.value is lost
    with testing.fake_stream([1, 2]) as stream:
        assert next(stream) == 1
    with pytest.raises(errors.ConfigurationError, match="is closed"):
        list(stream)


def test_fake_async_streams_yield_messages() -> None:
    async def source() -> AsyncIterator[int]:
        yield 1
        yield 2

    async def read(messages: Any) -> list[int]:
        async with testing.fake_async_stream(messages) as stream:
            assert (await stream.response()).execution_id == stream.execution_id
            return [each async for each in stream]

    assert asyncio.run(read([1, 2])) == [1, 2]
    assert asyncio.run(read(source())) == [1, 2]


def test_a_fake_run_completes_with_its_output() -> None:
    event = Event(type="NODE_STARTED", node_name="ask")
    last = Event(type="FLOW_COMPLETED")
    run = testing.fake_execution("done", execution_id=RUN, events=[event, last])
    assert (run.id, run.wait(timeout=1), run.get().status) == (RUN, "done", "COMPLETED")
    with run.follow() as events:
        assert list(events) == [event, last]
    assert list(run.events(types="FLOW_COMPLETED")) == [last]
    assert list(run.events(node_name="ask")) == [event]
    assert run.fork().wait() == "done"
    assert run.cancel().status == "CANCELLED"
    with pytest.raises(errors.FlowFailedError) as caught:
        run.wait()
    assert caught.value.execution is run


def test_a_fake_run_waits_for_its_decisions() -> None:
    run = testing.fake_execution("done", pauses=[waiting("p1"), waiting("p2")])
    for pause_id in ("p1", "p2"):
        with pytest.raises(errors.FlowPausedError) as caught:
            run.wait()
        assert caught.value.pause_id == run.get().pause_id == pause_id
        resumed = caught.value.execution.resume(pause_id, {"a": 1}, resumed_by="ann")
        assert (resumed.decision, resumed.already_resumed) == ({"a": 1}, False)
    assert run.wait() == "done"
    again = run.resume("p1", {"a": 2})
    assert (again.decision, again.already_resumed) == ({"a": 1}, True)
    assert [each.resumed_by for each in run.pauses()] == ["ann", "ann"]
    with pytest.raises(errors.NotFoundError, match="p3"):
        run.resume("p3", None)


def test_a_fake_run_fails_with_its_error() -> None:
    failure = errors.FlowFailedError("tired")
    run = testing.fake_execution(None, error=failure)
    with pytest.raises(errors.FlowFailedError) as caught:
        run.wait()
    assert caught.value is failure
    assert failure.execution is run
    assert (run.get().status, run.get().error_message) == ("FAILED", "tired")
    late = testing.fake_execution(None, error=errors.WaitTimedOutError("late"))
    assert late.get().status == "RUNNING"


def test_fake_async_runs_behave_the_same() -> None:
    async def use() -> None:
        event = Event(type="NODE_STARTED")
        run = testing.fake_async_execution(
            "done", pauses=[waiting("p1")], events=[event]
        )
        with pytest.raises(errors.FlowPausedError) as caught:
            await run.wait()
        assert caught.value.execution is run
        assert len(await run.pauses()) == 1
        await run.resume("p1", None)
        assert await run.wait() == "done"
        assert (await run.get()).status == "COMPLETED"
        assert [each async for each in run.events()] == [event]
        async with run.follow() as events:
            assert [each async for each in events] == [event]
        assert await (await run.fork()).wait() == "done"
        assert (await run.cancel()).status == "CANCELLED"

    asyncio.run(use())


def test_a_fake_session_records_sent_messages() -> None:
    session = testing.FakeSession(["hello"], reply=lambda message: [message * 2])
    with pytest.raises(errors.ConfigurationError, match="not open"):
        session.send(1)
    with session:
        session.send(3)
        assert next(session) == "hello"
        assert list(session) == [6]
        assert session.limits.input_bytes is None
    assert session.sent == [3]
    lost = errors.StreamInterruptedError("lost")
    with testing.FakeSession(error=lost) as session, pytest.raises(type(lost)):
        next(session)


def test_a_fake_async_session_records_sent_messages() -> None:
    async def converse() -> None:
        reply = [1, 2]
        async with testing.FakeAsyncSession(reply=lambda _: reply) as session:
            await session.send("a")
            assert [each async for each in session] == [1, 2]
        assert session.sent == ["a"]
        assert [each async for each in session] == []

    asyncio.run(converse())


def test_a_fake_split_stream_records_uploads() -> None:
    stream = testing.FakeSplitStream(["a", "b", "c"], stream_id="s1")
    assert stream.upload(iter([1, 2])).input_frames == 2
    assert (stream.id, stream.sent) == ("s1", [1, 2])
    with stream.output() as output:
        assert [next(output), next(output)] == ["a", "b"]
    after = output.last_event_id or ""
    assert list(stream.output(after=after)) == ["c"]

    async def use() -> None:
        split = testing.FakeAsyncSplitStream(["a"])
        assert (await split.upload([1])).input_frames == 1
        async with split.output() as output:
            assert [each async for each in output] == ["a"]
        rest = split.output(after=output.last_event_id or "")
        assert [each async for each in rest] == []

    asyncio.run(use())


def test_a_fake_response_has_a_value() -> None:
    response = testing.fake_response(3, headers={"X-A": "b"})
    assert (response.value, response.status) == (3, 200)
    assert response.headers["x-a"] == "b"
