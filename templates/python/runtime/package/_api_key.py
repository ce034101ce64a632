"""The API key, protected from being printed."""

from __future__ import annotations

from .errors import ConfigurationError

REDACTED = "[redacted]"


class ApiKey:
    """An API key that only appears in the ``Authorization`` header."""

    __slots__ = ("_bytes", "_text")

    def __init__(self, text: str) -> None:
        if not text or not text.isascii() or not text.isprintable() or " " in text:
            raise ConfigurationError(
                "the API key is malformed: it must contain only visible ASCII "
                "characters; check for spaces or line breaks around it"
            )
        self._text = text
        self._bytes = text.encode()

    def authorization(self) -> str:
        """Return the value of the header."""
        return f"Bearer {self._text}"

    def stands_in(self, data: bytes) -> bool:
        """Report whether ``data`` contains the key."""
        return self._bytes in data

    def redact(self, text: str) -> str:
        """Replace the key in ``text``."""
        return text.replace(self._text, REDACTED)

    def redact_bytes(self, data: bytes) -> bytes:
        """Replace the key in ``data``."""
        return data.replace(self._bytes, REDACTED.encode())

    def __repr__(self) -> str:
        """Hide the key."""
        return f"ApiKey({REDACTED})"

    def __reduce__(self) -> str:
        """Refuse pickling, which would write out the key."""
        raise TypeError("an API key cannot be pickled; create a client in each process")
