"""Test data for the tests of archives, without generated code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from order_messages import Order, Tree
from runtime.package import _protojson as _json
from runtime.package import errors
from runtime.package._async_client import AsyncBaseClient
from runtime.package._flow import Flow
from runtime.package._method import Method
from runtime.package._sync_client import SyncBaseClient

__all__ = ["CALLS", "FLOW", "STREAMS", "AsyncClient", "Client", "Sample", "errors"]

FLOW = Flow(name="echo", graph_id="g-1", input=_json.STRUCT, output=_json.STRUCT)
PATH = "/invocations/v1/nodes/01J00000000000000000000000"
PRICE = Method("price", PATH, _json.MessageCodec(Order), _json.MessageCodec(Tree))
WATCH = Method("watch", PATH, _json.MessageCodec(Order), _json.MessageCodec(Tree))


class RawClient:
    def __init__(self, client: Client) -> None:
        self._client = client

    def price(self, message: Order | _json.Unset = _json.UNSET, /, **options: Any) -> Any:
        return self._client._send(PRICE, message, options)


class Client(SyncBaseClient):
    _identity = "acme-orders/1.0.0 svc/0.1.0"

    @property
    def with_raw_response(self) -> RawClient:
        return RawClient(self)

    def price(self, message: Order | _json.Unset = _json.UNSET, /, **options: Any) -> Tree:
        return self._send(PRICE, message, options).value

    def watch(self, message: Order | _json.Unset = _json.UNSET, /, **options: Any) -> Any:
        return self._stream_node(WATCH, message, options)

    def upload_watch(self, messages: Any, /, **options: Any) -> Any:
        return self._upload(WATCH, messages, options)

    def create_watch_stream(self, **options: Any) -> Any:
        return self._create_stream(WATCH, options)

    def watch_stream(self, stream_id: str) -> Any:
        return self._split_stream(WATCH, stream_id)

    def open_watch(self, **options: Any) -> Any:
        return self._open(WATCH, options)


class AsyncRawClient:
    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    async def price(self, message: Order | _json.Unset = _json.UNSET, /, **options: Any) -> Any:
        return await self._client._send(PRICE, message, options)


class AsyncClient(AsyncBaseClient):
    _identity = "acme-orders/1.0.0 svc/0.1.0"

    @property
    def with_raw_response(self) -> AsyncRawClient:
        return AsyncRawClient(self)

    async def price(self, message: Order | _json.Unset = _json.UNSET, /, **options: Any) -> Tree:
        return (await self._send(PRICE, message, options)).value

    def watch(self, message: Order | _json.Unset = _json.UNSET, /, **options: Any) -> Any:
        return self._stream_node(WATCH, message, options)

    def upload_watch(self, messages: Any, /, **options: Any) -> Any:
        return self._upload(WATCH, messages, options)


    async def create_watch_stream(self, **options: Any) -> Any:
        return await self._create_stream(WATCH, options)

    def watch_stream(self, stream_id: str) -> Any:
        return self._split_stream(WATCH, stream_id)

    def open_watch(self, **options: Any) -> Any:
        return self._open(WATCH, options)


@dataclass(frozen=True)
class Sample:
    name: str
    path: str
    input: Any
    output: Any
    answer: Any
    upload: str | None = None
    create: str | None = None
    find: str | None = None
    open: str | None = None


CALLS = [
    Sample(
        name="price",
        path=PATH,
        input=Order(unit_price=2**53 + 1),
        output={"value": 3},
        answer=Tree(value=3),
    )
]

STREAMS = [
    Sample(
        name="watch",
        path=PATH,
        input=Order(unit_price=2**53 + 1),
        output={"value": 3},
        answer=Tree(value=3),
        upload="upload_watch",
        create="create_watch_stream",
        find="watch_stream",
        open="open_watch",
    )
]
