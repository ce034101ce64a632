"""Parses event streams (Server-Sent Events)."""

from __future__ import annotations

import codecs
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_LINE_END: Final = re.compile(r"\r\n?|\n")


class EventParser:
    """Splits an event stream into its messages, from chunks of any size.

    Attributes:
        last_id: Id of the last message, or an empty string.
        has_id: Whether the last message has an id of its own.
    """

    __slots__ = (
        "_data",
        "_data_size",
        "_decoder",
        "_ends_in_cr",
        "_has_next_id",
        "_line",
        "_line_size",
        "_next_id",
        "_type",
        "has_id",
        "last_id",
    )

    def __init__(self, last_id: str = "") -> None:
        """Create a parser for a stream that starts after the message ``last_id``."""
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")(errors="replace")
        self._line: list[str] = []
        self._line_size = 0
        self._ends_in_cr = False
        self._type = ""
        self._next_id = last_id
        self._has_next_id = False
        self.last_id = last_id
        self.has_id = False
        self._data: list[str] = []
        self._data_size = 0

    @property
    def pending(self) -> int:
        """Size of the incomplete message, in characters."""
        return self._line_size + self._data_size

    def feed(self, chunk: bytes) -> Iterator[str]:
        """Yield the data of the messages completed by a chunk."""
        text = self._decoder.decode(chunk)
        # A CR ends a line; an LF that follows belongs to the same line ending.
        if self._ends_in_cr:
            self._ends_in_cr = text == ""
            text = text.removeprefix("\n")
        if text == "":
            return
        self._ends_in_cr = text.endswith("\r")
        first, *others = _LINE_END.split(text)
        self._line.append(first)
        self._line_size += len(first)
        if not others:
            return
        *lines, rest = ["".join(self._line), *others]
        self._line, self._line_size = [rest], len(rest)
        for line in lines:
            if line:
                self._take(line)
                continue
            data, is_message = self._data, self._type in {"", "message"}
            self._data, self._data_size, self._type = [], 0, ""
            self.last_id = self._next_id
            self.has_id, self._has_next_id = self._has_next_id, False
            if data and is_message:
                yield "\n".join(data)

    def _take(self, line: str) -> None:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
            self._data_size += len(value) + 1
        elif name == "event":
            self._type = value
        elif name == "id" and "\0" not in value:
            self._next_id = value
            self._has_next_id = True
