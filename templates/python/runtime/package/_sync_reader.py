"""Reads generators that other threads may close."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

from .errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

T = TypeVar("T")


class SyncReader(Generic[T]):
    """Reads a generator in one thread at a time; any thread may close it.

    Attributes:
        is_closed: Whether the generator is closed, or closes after the current read.
        has_ended: Whether the generator ended before it was closed.
    """

    def __init__(
        self,
        items: Generator[T, None, None],
        *,
        shut: Callable[[], None],
        release: Callable[[], None],
    ) -> None:
        """Read ``items``.

        Args:
            items: The generator. It must end soon after ``shut`` is called.
            shut: Interrupts a blocked read in another thread, if possible.
            release: Frees what closing the generator does not. It is called when no
                read is in progress.
        """
        self._items = items
        self._shut = shut
        self._release = release
        self._lock = Lock()
        self.is_closed: bool = False
        self.has_ended: bool = False

    def next(self) -> T:
        """Return the next item.

        Raises:
            StopIteration: There are no more items, or the reader is closed.
            ConfigurationError: Another thread is reading.
        """
        if not self._lock.acquire(blocking=False):
            if self.is_closed:
                raise StopIteration
            raise ConfigurationError("the stream is already being read")
        try:
            item = next(self._items)
        except Exception:
            self.has_ended |= not self.is_closed
            raise
        finally:
            self._lock.release()
        if self.is_closed:
            self.close()
        return item

    def close(self) -> None:
        """Close the generator, or let the thread that is reading it do so."""
        self.is_closed = True
        if not self._lock.acquire(blocking=False):
            self._shut()
            return
        try:
            self._items.close()
            self._release()
        finally:
            self._lock.release()
