"""Measures calls of the asyncio client of the Python SDK beside httpx: see ../sdk-bench.ts."""

import asyncio
import json
import os
import sys
import time
import uuid
from collections.abc import Awaitable

import httpx
from acme_acme_text import AsyncClient, messages

URL = os.environ["SVC_BASE_URL"] + "/bare"
AUTHORIZATION = "Bearer " + os.environ["SVC_API_KEY"]


async def bare(http: httpx.AsyncClient) -> None:
    response = await http.post(
        URL,
        json={"text": "Two ships left the harbour.", "limit": 10},
        headers={
            "Authorization": AUTHORIZATION,
            "Accept": "application/json",
            "Idempotency-Key": str(uuid.uuid4()),
            "X-Svc-Client": "acme-acme-text/1.1.0 (python; svc/0)",
        },
        timeout=60,
    )
    response.raise_for_status()
    assert response.json()["total"] == "5"


async def sdk(client: AsyncClient) -> None:
    answer = await client.count_words(
        messages.CountWordsRequest(text="Two ships left the harbour.", limit=10)
    )
    assert answer.total == 5


async def timed(call: Awaitable[None]) -> int:
    start = time.perf_counter_ns()
    await call
    return time.perf_counter_ns() - start


async def measure(seconds: float) -> dict[str, list[int]]:
    times: dict[str, list[int]] = {"bare": [], "sdk": []}
    async with httpx.AsyncClient() as http, AsyncClient() as client:
        for warm_up in (True, False):
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                pair = (await timed(bare(http)), await timed(sdk(client)))
                if not warm_up:
                    times["bare"].append(pair[0])
                    times["sdk"].append(pair[1])
    return times


json.dump(asyncio.run(measure(float(os.environ["BENCH_SECONDS"]))), sys.stdout)
