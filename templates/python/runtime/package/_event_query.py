"""The query of a request for events."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlencode

if TYPE_CHECKING:
    from collections.abc import Sequence


class EventQuery(NamedTuple):
    """Selects the events to read."""

    types: str | Sequence[str] = ()
    node_name: str | None = None
    page_size: int | None = None

    def encode(self, cursor: str | None) -> str:
        """Return the query string for one page."""
        types = [self.types] if isinstance(self.types, str) else self.types
        pairs = [("decode", "true")]
        pairs += [("event_type", name) for name in types]
        if self.node_name is not None:
            pairs.append(("node_name", self.node_name))
        if self.page_size is not None:
            pairs.append(("limit", str(self.page_size)))
        if cursor is not None:
            pairs.append(("cursor", cursor))
        return urlencode(pairs)
