"""The API key, protected from being printed."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Generator
from inspect import isawaitable
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import httpx

from .errors import ConfigurationError

if TYPE_CHECKING:
    from ._json_value import JsonValue

TokenProvider: TypeAlias = Callable[[], str]
"""Returns an API key."""

AsyncTokenProvider: TypeAlias = Callable[[], str | Awaitable[str]]
"""Returns an API key, or an awaitable of one."""

REDACTED: Final = "[redacted]"

_DEEPEST: Final = 100


class ApiKey(httpx.Auth):
    """An API key that only appears in the ``Authorization`` header.

    Reporters of errors record the local variables of every frame. So no method has the
    key in a local variable while it can raise.
    """

    __slots__ = ("_earlier", "_provider", "_text", "generation")

    def __init__(self, given: str | AsyncTokenProvider | None) -> None:
        """Take a key, or a function that returns one; ``None`` for ``SVC_API_KEY``."""
        self._provider = given if callable(given) else None
        self._earlier = ""
        self._text: Any = ""
        self.generation = 0
        """Counts the keys that the function returned."""
        if not callable(given):
            self._text = os.environ.get("SVC_API_KEY") if given is None else given

    def check(self) -> None:
        """Check a key that was passed in.

        Raises:
            ConfigurationError: The key is missing or malformed.
        """
        if self._provider is None:
            self._check()

    def load(self) -> None:
        """Call the function for the key, unless the key is known.

        Raises:
            ConfigurationError: The function fails, or its key is malformed.
        """
        if self._provider is None or self._text:
            return
        try:
            self._text = self._provider()
        except Exception as error:
            raise _provider_failed(error) from error
        self._accept()

    async def aload(self) -> None:
        """Call the function for the key as :meth:`load` does, and await its result."""
        if self._provider is None or self._text:
            return
        try:
            self._text = self._provider()
            if isawaitable(self._text):
                self._text = await self._text
        except Exception as error:
            self._text = ""
            raise _provider_failed(error) from error
        self._accept()

    def forget(self, generation: int) -> bool:
        """Discard the key that the service refused.

        Returns whether another key is available, from the function or from a call that
        has already replaced the key of this ``generation``.
        """
        if self._provider is None:
            return False
        if generation == self.generation:
            self._earlier, self._text = self._text, ""
        return True

    def auth_flow(
        self, request: httpx.Request
    ) -> Generator[httpx.Request, httpx.Response, None]:
        """Add the header to a request of the HTTP library."""
        request.headers["Authorization"] = f"Bearer {self._text}"
        yield request

    def redact(self, text: str) -> str:
        """Replace the key in ``text``."""
        for key in (self._text, self._earlier):
            if isinstance(key, str) and key in text and key:
                text = text.replace(key, REDACTED)
        return text

    def redact_json(self, value: JsonValue, depth: int = 0) -> JsonValue:
        """Replace the key in the strings of a JSON value."""
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
        """Replace the key in the values of headers."""
        return httpx.Headers(
            [(name, self.redact(value)) for name, value in headers.multi_items()]
        )

    def _accept(self) -> None:
        try:
            self._check()
        except ConfigurationError:
            self._text = ""
            raise
        self.generation += 1

    def _check(self) -> None:
        if self._text is None or self._text == "":
            raise ConfigurationError("no API key: set SVC_API_KEY or pass api_key")
        if not isinstance(self._text, str):
            raise ConfigurationError(
                f"the API key must be str, got {type(self._text).__name__}"
            )
        is_visible = self._text.isascii() and self._text.isprintable()
        if not is_visible or " " in self._text:
            raise ConfigurationError(
                "the API key is malformed: it must contain only visible ASCII "
                "characters; check for spaces or line breaks around it"
            )

    def __repr__(self) -> str:
        """Hide the key."""
        return f"ApiKey({REDACTED})"

    def __reduce__(self) -> str:
        """Refuse pickling, which would write out the key."""
        raise TypeError("an API key cannot be pickled; create a client in each process")


def _provider_failed(error: Exception) -> ConfigurationError:
    return ConfigurationError(
        f"the function for the API key failed with {type(error).__name__}"
    )
