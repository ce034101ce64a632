"""The API key, protected from accidental disclosure."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Generator
from functools import lru_cache
from inspect import isawaitable
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from weakref import WeakKeyDictionary

import httpx

from .errors import ConfigurationError

if TYPE_CHECKING:
    from anyio import Lock as AsyncLock
    from anyio.lowlevel import RunVar

    from ._json_value import JsonValue

TokenProvider: TypeAlias = Callable[[], str]
"""Returns an API key."""

AsyncTokenProvider: TypeAlias = Callable[[], str | Awaitable[str]]
"""Returns an API key, or an awaitable of one."""

REDACTED: Final = "[redacted]"

_SHORTEST_REDACTED: Final = 16
"""Minimum length of a key that is redacted. Keys of the service are longer. Redacting a
shorter one, such as a test key, would corrupt text that contains it by chance."""

_DEEPEST: Final = 100


class ApiKey(httpx.Auth):
    """An API key that only appears in the ``Authorization`` header.

    Error reporters record the local variables of every frame, so no method holds the
    key in a local variable while it can raise.
    """

    __slots__ = ("_current", "_earlier", "_lock", "_provider")

    def __init__(self, given: str | AsyncTokenProvider | None) -> None:
        """Use a key, or a function that returns one; ``None`` for ``SVC_API_KEY``."""
        self._provider = given if callable(given) else None
        self._earlier = ""
        self._lock = Lock()
        self._current: tuple[Any, int] = ("", 0)
        if not callable(given):
            own = os.environ.get("SVC_API_KEY") if given is None else given
            self._current = (own, 0)

    @property
    def generation(self) -> int:
        """Generation of the key of the next request; a function's first key is 1."""
        is_missing = self._provider is not None and not self._current[0]
        return self._current[1] + is_missing

    def check(self) -> None:
        """Check a key that was passed in.

        Raises:
            ConfigurationError: The key is missing or malformed.
        """
        if self._provider is None:
            _refuse(_problem_of(self._current[0]))

    def load(self) -> None:
        """Call the function for the key, unless the key is already loaded.

        Concurrent threads share a single call of the function.

        Raises:
            ConfigurationError: The function fails, or its key is malformed.
        """
        if self._provider is None or self._current[0]:
            return
        with self._lock:
            if self._current[0]:
                return
            try:
                self._current, problem = self._checked(self._provider())
            except Exception as error:
                raise _provider_failed(error) from error
            _refuse(problem)

    async def aload(self) -> None:
        """Load the key as :meth:`load` does, and await an awaitable result.

        Concurrent calls share a single call of the function.
        """
        if self._provider is None or self._current[0]:
            return
        async with _lock_of(self):
            if self._current[0]:
                return
            try:
                self._current, problem = self._checked(await _awaited(self._provider()))
            except Exception as error:
                raise _provider_failed(error) from error
            _refuse(problem)

    def forget(self, generation: int) -> bool:
        """Discard a key that the service rejected.

        Returns whether another key is available: from the function, or because another
        call has already replaced the key of this ``generation``.
        """
        if self._provider is None:
            return False
        if self._current[0] and generation == self._current[1]:
            with self._lock:
                if self._current[0] and generation == self._current[1]:
                    self._earlier = self._current[0]
                    self._current = ("", generation)
        return True

    def auth_flow(
        self, request: httpx.Request
    ) -> Generator[httpx.Request, httpx.Response, None]:
        """Add the header to a request of the HTTP library."""
        request.headers["Authorization"] = f"Bearer {self._current[0]}"
        yield request

    def redact(self, text: str) -> str:
        """Redact the key in ``text``."""
        for key in (self._current[0], self._earlier):
            is_secret = isinstance(key, str) and len(key) >= _SHORTEST_REDACTED
            if is_secret and key in text:
                text = text.replace(key, REDACTED)
        return text

    def redact_json(self, value: JsonValue, depth: int = 0) -> JsonValue:
        """Redact the key in the strings of a JSON value."""
        if isinstance(value, str):
            return self.redact(value)
        if isinstance(value, (list, dict)) and depth == _DEEPEST:
            return REDACTED
        if isinstance(value, list):
            return [self.redact_json(item, depth + 1) for item in value]
        if isinstance(value, dict):
            return {
                self.redact(name): self.redact_json(item, depth + 1)
                for name, item in value.items()
            }
        return value

    def redact_headers(self, headers: httpx.Headers) -> httpx.Headers:
        """Redact the key in header values."""
        return httpx.Headers(
            [(name, self.redact(value)) for name, value in headers.multi_items()],
            encoding=headers.encoding,
        )

    def _checked(self, key: Any) -> tuple[tuple[str, int], str | None]:
        """Return a valid key, or ``None`` and the problem. Never raises."""
        problem = _problem_of(key)
        generation = self._current[1]
        if problem is None:
            return (key, generation + 1), None
        return ("", generation), problem

    def __repr__(self) -> str:
        """Hide the key."""
        return f"ApiKey({REDACTED})"

    def __reduce__(self) -> str:
        """Prevent pickling, which would disclose the key."""
        raise TypeError("an API key cannot be pickled; create a client in each process")


async def _awaited(given: str | Awaitable[str]) -> str:
    return await given if isawaitable(given) else given


def _problem_of(key: Any) -> str | None:
    """Return the problem with a key, if any. Never raises."""
    if key is None or key == "":
        return "no API key: set SVC_API_KEY or pass api_key"
    if not isinstance(key, str):
        return f"the API key must be str, got {type(key).__name__}"
    if not key.isascii() or not key.isprintable() or " " in key:
        return (
            "the API key is malformed: it must contain only visible ASCII "
            "characters; check for spaces or line breaks around it"
        )
    return None


def _refuse(problem: str | None) -> None:
    if problem is not None:
        raise ConfigurationError(problem)


def _lock_of(api_key: ApiKey) -> AsyncLock:
    """Return the lock that serializes key loads in the running event loop."""
    # Imported lazily: the import is slow, and the HTTP library defers it as well.
    import anyio

    variable = _variable()
    locks = variable.get(None)
    if locks is None:
        locks = WeakKeyDictionary()
        variable.set(locks)
    return locks.setdefault(api_key, anyio.Lock())


@lru_cache(maxsize=1)
def _variable() -> RunVar[WeakKeyDictionary[ApiKey, AsyncLock]]:
    from anyio.lowlevel import RunVar

    return RunVar(__name__)


def _provider_failed(error: Exception) -> ConfigurationError:
    return ConfigurationError(
        f"the function for the API key failed with {type(error).__name__}"
    )
