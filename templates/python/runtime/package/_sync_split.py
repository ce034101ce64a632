"""Split streams of the synchronous client."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, TypeVar

from ._call_options import CallOptions
from ._calls import Calls
from ._input_lines import InputLines
from ._method import Method
from ._split_calls import OutputCall, check_stream_id, upload_to_stream
from ._sync_driver import SyncDriver
from ._sync_stream import FrameStream, SyncFrames
from ._typing import Unpack
from ._upload import Upload

In = TypeVar("In")
Out = TypeVar("Out")


class SplitStream(Generic[In, Out]):
    """A stream of a pipeline node, with separate requests for input and output.

    It accepts one upload and any number of readers. Readers in other processes open it
    by its id. It expires after 10 minutes.
    """

    def __init__(
        self,
        drive: SyncDriver,
        calls: Calls,
        method: Method[Any, Out],
        stream_id: str,
    ) -> None:
        """Create a handle without sending a request.

        Raises:
            MessageError: The id is malformed.
        """
        self._id = check_stream_id(stream_id)
        self._drive = drive
        self._calls = calls
        self._method = method

    @property
    def id(self) -> str:
        """Id of the stream."""
        return self._id

    def __repr__(self) -> str:
        """Show the id."""
        return f"{type(self).__name__}(id={self.id!r})"

    def upload(self, messages: Iterable[In], **options: Unpack[CallOptions]) -> Upload:
        """Send messages as they are read, and wait until the output is stored.

        The output shows whether the node succeeded. The upload is not retried.

        Args:
            messages: The input. An exception that it raises ends the upload and
                propagates unchanged. It is read in the calling thread, so the
                ``timeout`` takes effect when it yields its next message. An error
                response is reported after the last message, at the ``timeout``, or at
                the next message if the service closes the connection.
            options: Call options.

        Raises:
            StatusError: 409, because the stream already has an upload.
            StreamInterruptedError: The service did not receive the whole input.
        """
        lines = InputLines(self._method.input, messages)
        steps = upload_to_stream(self._calls, self._method, self.id, lines, options)
        try:
            return self._drive(steps)
        except Exception:
            if lines.failure is not None:
                raise lines.failure from None
            raise

    def output(
        self, *, after: str = "", **options: Unpack[CallOptions]
    ) -> FrameStream[Out]:
        """Read the output from its beginning, as it is stored.

        After a lost connection, reading resumes after the last message. Up to eight
        consecutive reconnects, or ``max_retries`` if that is more, may bring no
        message; 0 disables reconnects.

        Args:
            after: Id of the event to start after. Event ids are numbers, from ``"0"``.
            options: Call options.
        """
        call = OutputCall(self._calls, self._method, self.id, after, options)
        return FrameStream(SyncFrames(self._drive, call))
