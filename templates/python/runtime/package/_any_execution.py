"""The handle of an error, which can be that of either client."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from ._call_options import CallOptions
from ._pause import Decision
from ._typing import Unpack


class AnyExecution(Protocol):
    """The handle in an error: an ``Execution`` or an ``AsyncExecution``.

    Its class depends on the client that raised the error: ``Client`` uses
    ``Execution``, and ``AsyncClient`` uses ``AsyncExecution``, whose methods must be
    awaited. Type checkers check names and arguments; the results are ``Any``. For typed
    results, create a handle from the ``execution_id`` of the error.
    """

    @property
    def id(self) -> str:
        """Execution id, 32 hexadecimal digits."""
        ...

    def get(self, **options: Unpack[CallOptions]) -> Any:
        """Retrieve the current state of the run."""
        ...

    def cancel(self, **options: Unpack[CallOptions]) -> Any:
        """Cancel the run and return its record."""
        ...

    def pauses(self, **options: Unpack[CallOptions]) -> Any:
        """List the pauses of the run, oldest first."""
        ...

    def resume(
        self,
        pause_id: str,
        decision: Decision,
        *,
        resumed_by: str | None = None,
        **options: Unpack[CallOptions],
    ) -> Any:
        """Decide on a pause of the run, which then continues."""
        ...

    def fork(
        self,
        checkpoint_id: str | None = None,
        *,
        message: Decision = None,
        **options: Unpack[CallOptions],
    ) -> Any:
        """Start a run that continues from a checkpoint of this one."""
        ...

    def wait(self, **options: Unpack[CallOptions]) -> Any:
        """Wait for the run to end and return its output."""
        ...

    def events(
        self,
        *,
        types: str | Sequence[str] = (),
        node_name: str | None = None,
        page_size: int | None = None,
        **options: Unpack[CallOptions],
    ) -> Any:
        """Iterate over the events of the run so far, oldest first."""
        ...

    def follow(self, **options: Unpack[CallOptions]) -> Any:
        """Iterate over all events of the run, as they happen, until it has ended."""
        ...
