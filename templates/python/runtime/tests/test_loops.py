"""Tests of resources that clients share across successive event loops."""

from __future__ import annotations

import asyncio
import gc
import os
import ssl
import weakref
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from sdk import FLOW, AsyncClient, Client, errors

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KEY = "0123456789abcdef" * 4
ENDED = b'{"execution_id":"%s","result":{"success":true,"output":{}}}' % (b"0" * 32)


class KeepAlive(BaseHTTPRequestHandler):
    """Responds with a completed run, and keeps the connection alive."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(202)
        self.send_header("Content-Length", str(len(ENDED)))
        self.end_headers()
        self.wfile.write(ENDED)

    def log_message(self, *args: Any, **named: Any) -> None:
        """Log nothing."""


class Server(ThreadingHTTPServer):
    """A server that does not wait for its connections to end."""

    daemon_threads = True


@pytest.fixture
def url() -> Iterator[str]:
    """URL of a server that keeps connections open."""
    with Server(("127.0.0.1", 0), KeepAlive) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_a_closed_loop_and_its_connections_are_garbage_collected(url: str) -> None:
    client = AsyncClient(api_key=KEY, base_url=url)
    loops: list[weakref.ref[asyncio.AbstractEventLoop]] = []

    async def call() -> None:
        loops.append(weakref.ref(asyncio.get_running_loop()))
        assert (await client._run(FLOW, {}, {})).status == 202

    for _ in range(4):
        asyncio.run(call())
    gc.collect()
    # The last loop is freed when another one starts.
    assert [loop() for loop in loops[:-1]] == [None, None, None]


def test_event_loops_share_loaded_certificates(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    contexts: list[Any] = []

    def load() -> Any:
        contexts.append(ssl.create_default_context())
        return contexts[-1]

    monkeypatch.setattr(httpx, "create_ssl_context", load)
    # Other tests may have loaded the default certificates.
    monkeypatch.setenv("SSL_CERT_DIR", "/certificates")

    async def call() -> None:
        async with AsyncClient(api_key=KEY, base_url=url) as client:
            assert (await client._run(FLOW, {}, {})).status == 202

    for _ in range(2):
        asyncio.run(call())
    with Client(api_key=KEY, base_url=url) as client:
        assert client._run(FLOW, {}, {}).status == 202
    assert len(contexts) == 1


def test_a_client_uses_the_certificates_of_its_environment(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[str | None] = []

    def load() -> Any:
        loaded.append(os.environ.get("SSL_CERT_DIR"))
        return ssl.create_default_context()

    monkeypatch.setattr(httpx, "create_ssl_context", load)
    monkeypatch.setenv("SSL_CERT_DIR", "/first")
    with Client(api_key=KEY, base_url=url) as first:
        assert first._run(FLOW, {}, {}).status == 202
        monkeypatch.setenv("SSL_CERT_DIR", "/second")
        with Client(api_key=KEY, base_url=url) as second:
            assert second._run(FLOW, {}, {}).status == 202
    assert loaded == ["/first", "/second"]


def test_unreadable_certificates_are_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "broken.pem"
    broken.write_text("no certificate")
    monkeypatch.setenv("SSL_CERT_FILE", str(broken))
    with pytest.raises(errors.ConfigurationError, match="SSL_CERT_FILE"):
        Client(api_key=KEY, base_url="http://svc.invalid")
