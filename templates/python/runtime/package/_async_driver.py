"""Runs the steps of calls in asyncio."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeVar

import httpx

from ._answers import Answer
from ._attempt import Pause, Send, failure_of, parse_url, timed_out

if TYPE_CHECKING:
    from collections.abc import Generator

    from ._attempt import Outcome, Step
    from .errors import SvcError

T = TypeVar("T")


class AsyncDriver:
    """Runs the steps of a call: sends requests, pauses and returns outcomes."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        """Send through ``http``."""
        self._http = http

    async def __call__(self, steps: Generator[Step, Outcome, T]) -> T:
        """Run the steps and return their result."""
        outcome: Outcome = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                value: T = end.value
                return value
            if isinstance(step, Pause):
                # Imported here because asyncio is slow to import and rarely needed.
                import asyncio

                await asyncio.sleep(step.seconds)
                outcome = None
            else:
                outcome = await self._attempt(step)

    async def _attempt(self, send: Send) -> Answer | SvcError:
        # Imported here because asyncio is slow to import.
        import asyncio

        try:
            if sys.version_info < (3, 11):
                return await asyncio.wait_for(self._exchange(send), send.time_left())
            async with asyncio.timeout(send.time_left()):
                return await self._exchange(send)
        except asyncio.TimeoutError:
            return timed_out()

    async def _exchange(self, send: Send) -> Answer | SvcError:
        answering = False
        try:
            async with self._http.stream(
                send.method,
                parse_url(send.url),
                content=send.body,
                headers=send.headers,
                extensions=send.limits(),
                follow_redirects=False,
            ) as response:
                answering = True
                body = b"".join([chunk async for chunk in response.aiter_bytes()])
                return Answer(response.status_code, response.headers, body)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            return failure_of(error, send, answering=answering)
