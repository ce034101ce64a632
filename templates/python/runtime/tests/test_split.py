"""Tests of split streams against a scripted server."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import json
import logging
import socket
import time
from dataclasses import dataclass
from threading import Thread
from typing import TYPE_CHECKING, Any
from unittest.mock import create_autospec
from urllib.parse import quote

import pytest
from scripted_server import Scripted, ScriptedServer
from sdk import STREAMS, AsyncClient, Client, Sample, errors
from side_by_side import side_by_side

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

KEY = "0123456789abcdef" * 4
RUN = "d" * 32
STREAM = "01J00000000000000000000000"
PATH = f"/invocations/v1/nodes/streams/{STREAM}"
NODES = [sample for sample in STREAMS if sample.create is not None]

pytestmark = pytest.mark.skipif(not NODES, reason="the client has no pipeline nodes")


def frames(*given: dict[str, Any], cut: int | None = None) -> Scripted:
    """Respond with frames that use their ``frame_index`` as id."""
    texts = [
        f"id: {frame['frame_index']}\ndata: {json.dumps({'execution_id': RUN, **frame})}"
        for frame in given
    ]
    body = "".join(f"{text}\n\n" for text in texts).encode()
    length = None if cut is None else len(body) - cut
    return Scripted(
        body=body + b" " if cut is not None else body,
        headers={"Content-Type": "text/event-stream"},
        cut=length,
    )


def payload(index: int) -> dict[str, Any]:
    """Return a frame with the output of the first node."""
    return {"frame_index": index, "payload": NODES[0].output, "is_final": False}


def last(index: int) -> dict[str, Any]:
    """Return the last frame of a node that succeeded."""
    return {"frame_index": index, "is_final": True, "success": True}


@dataclass(frozen=True, kw_only=True)
class Way:
    """Calls through the synchronous or the asyncio client."""

    is_async: bool

    def create(self, server: ScriptedServer, sample: Sample) -> str:
        """Create a stream and return its id."""

        async def create(client: Any) -> str:
            created = getattr(client, str(sample.create))()
            return str((await created if self.is_async else created).id)

        return str(self._run(server, create, {}))

    def upload(self, server: ScriptedServer, sample: Sample, messages: Any) -> Any:
        """Upload messages to the stream."""

        async def upload(client: Any) -> Any:
            stream = getattr(client, str(sample.find))(STREAM)
            uploaded = stream.upload(messages)
            return await uploaded if self.is_async else uploaded

        return self._run(server, upload, {})

    def read(self, server: ScriptedServer, given: list[Any], **options: Any) -> None:
        """Append the output of the stream to ``given``."""

        async def read(client: Any) -> None:
            output = getattr(client, str(NODES[0].find))(STREAM).output(**options)
            add = given.append
            if self.is_async:
                async with output:
                    async for answer in output:
                        add(answer)
            else:
                with output:
                    given.extend(output)

        self._run(server, read, {})

    def _run(self, server: ScriptedServer, do: Any, options: Any) -> Any:
        return self.call(server.url, do, **options)

    def call(self, url: str, do: Any, **options: Any) -> Any:
        """Call ``do`` with a client."""
        settings: Any = {"api_key": KEY, "base_url": url, "retry_delay": 0.001}
        return asyncio.run(self._call(do, settings | options))

    async def _call(self, do: Any, settings: Any) -> Any:
        if self.is_async:
            async with AsyncClient(**settings) as client:
                return await do(client)
        with Client(**settings) as blocking:
            return await do(blocking)


WAYS = [Way(is_async=False), Way(is_async=True)]


@pytest.fixture(params=WAYS, ids=["sync", "async"])
def way(request: pytest.FixtureRequest) -> Way:
    """Call through either client."""
    chosen: Way = request.param
    return chosen


@pytest.mark.parametrize("sample", NODES, ids=lambda sample: str(sample.name))
def test_every_node_has_split_streams(way: Way, sample: Sample) -> None:
    uploaded = Scripted(body={"execution_id": RUN, "input_frames": 2})
    created = Scripted(201, {"stream_id": STREAM})
    with ScriptedServer(created, uploaded) as server:
        assert way.create(server, sample) == STREAM
        upload = way.upload(server, sample, [sample.input, sample.input])
    assert (upload.execution_id, upload.input_frames) == (RUN, 2)
    first, second = server.requests
    assert first.path == "/invocations/v1/nodes/streams"
    node = json.loads(first.body)["node_ref"]
    assert quote(node) == sample.path.removeprefix("/invocations/v1/nodes/")
    assert second.path == f"{PATH}/input"
    assert second.headers["content-type"] == "application/x-ndjson"
    assert second.headers["accept"] == "application/json"
    assert second.body.count(b"\n") == 2


def test_a_second_upload_is_rejected(way: Way) -> None:
    refusal = Scripted(409, {"error_message": "the stream already has an upload"})
    with (
        ScriptedServer(refusal) as server,
        pytest.raises(errors.StatusError, match="already has an upload") as caught,
    ):
        way.upload(server, NODES[0], [NODES[0].input])
    assert caught.value.status == 409


def refuse_at_once(server: socket.socket) -> None:
    """Reject a request before its input ends, and keep reading."""
    connection, _ = server.accept()
    with connection:
        connection.recv(65_536)
        body = b'{"error":"unauthorized"}'
        head = b"HTTP/1.1 401 Unauthorized\r\nContent-Length: %d\r\n\r\n" % len(body)
        connection.sendall(head + body)
        while connection.recv(65_536):
            pass


def test_a_rejected_upload_is_reported_at_the_timeout(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A busy machine may stall for longer than the default.
    for module in ("._attempt", "._async_driver"):
        owner = importlib.import_module(module, errors.__package__)
        assert owner.LAST_LOOK == 0.1
        monkeypatch.setattr(owner, "LAST_LOOK", 20)

    def check(way: Way, name: str, waits: bool) -> None:
        async def source() -> AsyncIterator[Any]:
            while True:
                yield NODES[0].input
                await asyncio.sleep(60 if waits else 0.02)

        def blocking_source() -> Iterator[Any]:
            while True:
                yield NODES[0].input
                time.sleep(0.02)

        async def upload(client: Any) -> None:
            method = getattr(client, str(getattr(NODES[0], name)))
            messages = (
                source() if isinstance(client, AsyncClient) else blocking_source()
            )
            if name == "find":
                uploaded = method(STREAM).upload(messages, timeout=1)
                await uploaded
            elif isinstance(client, AsyncClient):
                await anext(method(messages, timeout=1))
            else:
                next(method(messages, timeout=1))

        with socket.create_server(("127.0.0.1", 0)) as listening:
            Thread(target=refuse_at_once, args=(listening,), daemon=True).start()
            url = f"http://127.0.0.1:{listening.getsockname()[1]}"
            begun = time.monotonic()
            with pytest.raises(errors.UnauthorizedError) as caught:
                way.call(url, upload)
            assert time.monotonic() - begun < 60
        assert caught.value.status == 401

    side_by_side(check, WAYS, ["find", "upload"], [False, True])


def test_a_timed_out_upload_does_not_look_complete() -> None:
    received: list[bytes] = []

    def receive(server: socket.socket) -> None:
        connection, _ = server.accept()
        with connection:
            while data := connection.recv(65_536):
                received.append(data)

    async def source() -> AsyncIterator[Any]:
        yield NODES[0].input
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.Event().wait()

    async def upload(client: Any) -> None:
        stream = getattr(client, str(NODES[0].find))(STREAM)
        await stream.upload(source(), timeout=2)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        receiver = Thread(target=receive, args=(listening,), daemon=True)
        receiver.start()
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        with pytest.raises(errors.TimedOutError):
            Way(is_async=True).call(url, upload)
        receiver.join(10)
    sent = b"".join(received)
    assert sent.startswith(b"POST ")
    assert not sent.endswith(b"0\r\n\r\n")


def test_an_upload_is_not_retried(way: Way) -> None:
    with (
        ScriptedServer(Scripted(503, {})) as server,
        pytest.raises(errors.UpstreamUnavailableError),
    ):
        way.upload(server, NODES[0], [NODES[0].input])
    assert len(server.requests) == 1


def test_an_incomplete_upload_is_an_error(way: Way) -> None:
    answer = Scripted(body={"execution_id": RUN, "input_frames": 1})
    with (
        ScriptedServer(answer) as server,
        pytest.raises(errors.StreamInterruptedError, match="1 of 2") as caught,
    ):
        way.upload(server, NODES[0], [NODES[0].input, NODES[0].input])
    assert caught.value.execution_id == RUN


def test_an_exception_from_the_source_ends_the_upload(way: Way) -> None:
    def source() -> Iterator[Any]:
        yield NODES[0].input
        raise OSError("the disk is gone")

    answer = Scripted(body={"execution_id": RUN, "input_frames": 1})
    with ScriptedServer(answer) as server, pytest.raises(OSError, match="disk is gone"):
        way.upload(server, NODES[0], source())


def test_reconnecting_resumes_after_the_last_frame(way: Way) -> None:
    given: list[Any] = []
    with ScriptedServer(
        frames(payload(0), payload(1), cut=5),
        Scripted(503, {}),
        frames(payload(1), cut=0),
        frames(payload(2), last(3)),
    ) as server:
        way.read(server, given)
    assert given == [NODES[0].answer] * 3
    after = [each.headers.get("last-event-id") for each in server.requests]
    assert after == [None, "0", "0", "1"]
    assert {each.path for each in server.requests} == {f"{PATH}/output"}
    assert {each.method for each in server.requests} == {"GET"}


def test_the_output_exposes_the_last_event_id(way: Way) -> None:
    ids: list[str | None] = []

    async def read(client: Any) -> None:
        output = getattr(client, str(NODES[0].find))(STREAM).output()
        ids.append(output.last_event_id)
        if way.is_async:
            ids.extend([output.last_event_id async for _ in output])
        else:
            ids.extend([output.last_event_id for _ in output])
        ids.append(output.last_event_id)

    lost = [frames(payload(0), payload(1), cut=0), frames(cut=0)]
    with ScriptedServer(*lost, frames(payload(2), last(3))) as server:
        way.call(server.url, read)
    assert ids == [None, "0", "1", "2", "3"]


def test_reconnects_without_new_frames_are_limited(way: Way) -> None:
    given: list[Any] = []
    with (
        ScriptedServer(frames(payload(0), cut=0), frames(cut=0)) as server,
        pytest.raises(errors.StreamInterruptedError) as caught,
    ):
        way.read(server, given, max_retries=1)
    assert given == [NODES[0].answer]
    assert caught.value.execution_id == RUN
    assert len(server.requests) == 9


def test_a_lost_connection_fails_when_retries_are_disabled(way: Way) -> None:
    given: list[Any] = []
    with (
        ScriptedServer(frames(payload(0), cut=0), frames(cut=0)) as server,
        pytest.raises(errors.StreamInterruptedError) as caught,
    ):
        way.read(server, given, max_retries=0)
    assert given == [NODES[0].answer]
    assert caught.value.execution_id == RUN
    assert len(server.requests) == 1


def test_reconnects_count_as_attempts(
    way: Way, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    lost = [frames(payload(0), cut=0), frames(cut=0), Scripted(503, {}), frames(cut=0)]
    with (
        ScriptedServer(*lost) as server,
        pytest.raises(errors.StreamInterruptedError) as caught,
    ):
        way.read(server, [], max_retries=3)
    assert caught.value.attempts == len(server.requests) == 9
    for number in range(2, 10):
        assert f"starting attempt {number} in" in caplog.text


def test_output_can_be_read_after_an_event(way: Way) -> None:
    given: list[Any] = []
    with ScriptedServer(frames(last(2)), Scripted(204, b"")) as server:
        way.read(server, given, after="1")
        way.read(server, given, after="2")
    assert given == []
    assert [each.headers["last-event-id"] for each in server.requests] == ["1", "2"]


def test_malformed_ids_are_rejected(way: Way) -> None:
    client = Client(api_key=KEY, base_url="http://svc.invalid")
    for stream_id in ("../a", None):
        with pytest.raises(errors.MessageError, match="letters, digits"):
            getattr(client, str(NODES[0].find))(stream_id)
    for event_id in ("ä", "1\n", 5):
        with pytest.raises(errors.MessageError, match="visible ASCII"):
            getattr(client, str(NODES[0].find))(STREAM).output(after=event_id)
    with (
        ScriptedServer(Scripted(201, {"stream_id": "../a"})) as server,
        pytest.raises(errors.InvalidResponseError, match="stream_id is missing"),
    ):
        way.create(server, NODES[0])


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_a_mock_of_a_stream_has_an_id(kind: Any) -> None:
    client = kind(api_key=KEY, base_url="http://svc.invalid")
    stream = getattr(client, str(NODES[0].find))(STREAM)
    mocked = create_autospec(type(stream), instance=True)
    assert mocked.id is not None
    mocked.id = STREAM
    assert mocked.id == stream.id


def test_a_failed_node_raises_its_error(way: Way) -> None:
    failed = {"frame_index": 0, "is_final": True, "error": "tired"}
    with (
        ScriptedServer(frames(failed)) as server,
        pytest.raises(errors.NodeFailedError, match="tired"),
    ):
        way.read(server, [])
    assert len(server.requests) == 1


def test_output_without_event_ids_is_not_resumed(way: Way) -> None:
    frame = json.dumps({"execution_id": RUN, **payload(0)})
    body = f"data: {frame}\n\n".encode()
    head = {"Content-Type": "text/event-stream"}
    given: list[Any] = []
    with (
        ScriptedServer(Scripted(body=body, headers=head)) as server,
        pytest.raises(errors.StreamInterruptedError),
    ):
        way.read(server, given)
    assert given == [NODES[0].answer]
    assert len(server.requests) == 1


def test_interrupted_output_is_logged_once(
    way: Way, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with (
        ScriptedServer(frames(payload(0))) as server,
        pytest.raises(errors.StreamInterruptedError),
    ):
        way.read(server, [], max_retries=0)
    assert caplog.text.count("the stream was cut off") == 1
