"""Runs the cases of a test concurrently."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def side_by_side(check: Callable[..., None], *values: Iterable[Any]) -> None:
    """Call ``check`` with every combination of values, each in its own thread."""
    cases = list(product(*values))
    with ThreadPoolExecutor(len(cases)) as threads:
        calls = [threads.submit(check, *case) for case in cases]
        for case, call in zip(cases, calls, strict=True):
            try:
                call.result()
            except (Exception, pytest.fail.Exception) as error:
                raise AssertionError(f"failed with {case}") from error
