"""The API key, kept so that nothing prints it."""

from __future__ import annotations

from .errors import ConfigurationError

REDACTED = "[redacted]"


class ApiKey:
    """A key that shows itself only in the ``Authorization`` header."""

    __slots__ = ("_bytes", "_text")

    def __init__(self, text: str) -> None:
        if not text or not text.isascii() or not text.isprintable() or " " in text:
            raise ConfigurationError(
                "the API key is malformed: it must be one word of printable ASCII; "
                "is there a space or line break around it?"
            )
        self._text = text
        self._bytes = text.encode()

    def authorization(self) -> str:
        """Give the value of the header."""
        return f"Bearer {self._text}"

    def stands_in(self, data: bytes) -> bool:
        """Tell whether bytes hold the key."""
        return self._bytes in data

    def redact(self, text: str) -> str:
        """Take the key out of a text that is about to be shown."""
        return text.replace(self._text, REDACTED)

    def redact_bytes(self, data: bytes) -> bytes:
        """Take the key out of bytes that were received."""
        return data.replace(self._bytes, REDACTED.encode())

    def __repr__(self) -> str:
        """Hide the key."""
        return f"ApiKey({REDACTED})"

    def __reduce__(self) -> str:
        """Refuse to be pickled: the key would stand in the bytes."""
        raise TypeError("an API key cannot be pickled; make a client where it is used")
