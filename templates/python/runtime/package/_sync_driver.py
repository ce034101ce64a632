"""Sends what the courses of calls ask for."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

import httpx

from ._answers import Answer
from ._attempt import Pause, Send, failure_of, parse_url

if TYPE_CHECKING:
    from collections.abc import Generator

    from ._attempt import Outcome, Step
    from .errors import SvcError

T = TypeVar("T")


class SyncDriver:
    """Takes courses to their ends: sends, waits, and tells what came of it."""

    def __init__(self, http: httpx.Client) -> None:
        """Send through ``http``."""
        self._http = http

    def __call__(self, steps: Generator[Step, Outcome, T]) -> T:
        """Give what the course returns."""
        outcome: Outcome = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                value: T = end.value
                return value
            if isinstance(step, Pause):
                time.sleep(step.seconds)
                outcome = None
            else:
                outcome = self._attempt(step)

    def _attempt(self, send: Send) -> Answer | SvcError:
        answering = False
        try:
            with self._http.stream(
                send.method,
                parse_url(send.url),
                content=send.body,
                headers=send.headers,
                timeout=send.time_left(),
                follow_redirects=False,
            ) as response:
                answering = True
                chunks: list[bytes] = []
                for chunk in response.iter_bytes():
                    send.check_deadline()
                    chunks.append(chunk)
                body = b"".join(chunks)
                return Answer(response.status_code, response.headers, body)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            return failure_of(error, answering=answering)
