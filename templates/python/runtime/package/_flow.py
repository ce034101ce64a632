"""A compiled flow as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from ._protojson import Codec

In = TypeVar("In")
Out = TypeVar("Out")


@dataclass(frozen=True, slots=True)
class Flow(Generic[In, Out]):
    """A flow that can be run.

    Attributes:
        name: Name of its call in this package.
        graph_id: Id of the compiled flow.
        input: Codec of what it takes.
        output: Codec of what it gives.
    """

    name: str
    graph_id: str
    input: Codec[In]
    output: Codec[Out]
