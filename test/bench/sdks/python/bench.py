"""Measures calls of the Python SDK beside httpx: see ../sdk-bench.ts."""

import json
import os
import sys
import time
import uuid
from collections.abc import Callable

import httpx
from acme_acme_text import Client, messages

URL = os.environ["SVC_BASE_URL"] + "/bare"
AUTHORIZATION = "Bearer " + os.environ["SVC_API_KEY"]


def bare(http: httpx.Client) -> None:
    response = http.post(
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


def sdk(client: Client) -> None:
    answer = client.count_words(
        messages.CountWordsRequest(text="Two ships left the harbour.", limit=10)
    )
    assert answer.total == 5


def timed(call: Callable[[], None]) -> int:
    start = time.perf_counter_ns()
    call()
    return time.perf_counter_ns() - start


def measure(seconds: float) -> dict[str, list[int]]:
    times: dict[str, list[int]] = {"bare": [], "sdk": []}
    with httpx.Client() as http, Client() as client:
        for warm_up in (True, False):
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                pair = (timed(lambda: bare(http)), timed(lambda: sdk(client)))
                if not warm_up:
                    times["bare"].append(pair[0])
                    times["sdk"].append(pair[1])
    return times


json.dump(measure(float(os.environ["BENCH_SECONDS"])), sys.stdout)
