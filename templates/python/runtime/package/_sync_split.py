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

    It takes one upload and any number of readers. Readers in other processes find it
    by its id. It lives for 10 minutes.
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

        Whether the node has succeeded is in the output. The upload is sent once.

        Args:
            messages: The input; an error that it raises ends the upload, and is
                raised as it is. It is read in the thread of the caller, so the
                ``timeout`` takes effect when it gives its next message. A refusal is
                noticed after the last message, at the ``timeout``, or at the next
                message if the service closes the connection.
            options: Call options.

        Raises:
            StatusError: 409, because the stream has an upload already.
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

        After a lost connection it goes on where it was. At most ``max_retries``
        connections are repeated one after the other, unless they gave a message.

        Args:
            after: Id of the event behind which to begin. Events have their number as
                id, from ``"0"``.
            options: Call options.
        """
        call = OutputCall(self._calls, self._method, self.id, after, options)
        return FrameStream(SyncFrames(self._drive, call))
