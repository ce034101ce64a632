"""The pauses of all runs, for the asyncio client."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from ._async_driver import AsyncDriver
from ._call_options import CallOptions
from ._calls import Calls
from ._pause import Pause, PauseQuery
from ._pause_calls import pause_page
from ._typing import Unpack


class AsyncInbox:
    """Lists the pauses of all runs of the tenant."""

    _drive: AsyncDriver
    _calls: Calls

    def pauses(
        self,
        *,
        status: str | Sequence[str] = (),
        page_size: int | None = None,
        **options: Unpack[CallOptions],
    ) -> AsyncIterator[Pause]:
        """Iterate over the pauses of all runs of the tenant, newest first.

        Use the status ``WAITING`` to list the pauses that need a decision. App keys
        cannot list pauses.

        Args:
            status: Statuses to include; all by default.
            page_size: Pauses per request, at most 1,000; 100 by default.
            options: Call options. ``timeout`` applies to each page.
        """
        self._calls.check(options)
        return self._pages(PauseQuery(status, page_size), options)

    async def _pages(
        self, query: PauseQuery, options: CallOptions
    ) -> AsyncIterator[Pause]:
        cursor: str | None = None
        while True:
            page = await self._drive(pause_page(self._calls, query, cursor, options))
            for pause in page.pauses:
                yield pause
            cursor = page.next_cursor
            if cursor is None:
                return
