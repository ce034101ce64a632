"""Reads async generators that other tasks may close."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from .errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable

    from anyio import CancelScope

T = TypeVar("T")


class AsyncReader(Generic[T]):
    """Reads a generator in one task at a time; any task may close it.

    Attributes:
        is_closed: Whether the generator is closed, or its read is being cancelled.
        has_ended: Whether the generator ended before it was closed.
    """

    def __init__(
        self,
        items: AsyncGenerator[T, None],
        *,
        release: Callable[[], Awaitable[None]],
    ) -> None:
        """Read ``items``; ``release`` frees what closing the generator does not."""
        self._items = items
        self._release = release
        self._scope: CancelScope | None = None
        self.is_closed: bool = False
        self.has_ended: bool = False

    async def next(self) -> T:
        """Return the next item.

        Raises:
            StopAsyncIteration: There are no more items, or the reader is closed.
            ConfigurationError: Another task is reading.
        """
        # Imported lazily: the import is slow, and the HTTP library defers it as well.
        import anyio

        if self._scope is not None:
            raise ConfigurationError("the stream is already being read")
        with anyio.CancelScope() as scope:
            self._scope = scope
            try:
                return await anext(self._items)
            except Exception:
                self.has_ended |= not self.is_closed
                raise
            finally:
                self._scope = None
                if self.is_closed:
                    await self._end()
        raise StopAsyncIteration

    async def aclose(self) -> None:
        """Close the generator, or cancel the read of another task."""
        self.is_closed = True
        if self._scope is not None:
            self._scope.cancel()
            return
        await self._end()

    async def _end(self) -> None:
        import anyio

        with anyio.CancelScope(shield=True):
            await self._items.aclose()
            await self._release()
