"""Descriptors of flows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from ._protojson import VALUE

if TYPE_CHECKING:
    from ._json_value import JsonValue
    from ._protojson import Codec

In = TypeVar("In")
Out = TypeVar("Out")


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Flow(Generic[In, Out]):
    """A callable flow.

    Attributes:
        name: Name of the method in this package.
        graph_id: Id of the compiled flow.
        input: Codec of the input.
        output: Codec of the output.
    """

    name: str
    graph_id: str
    input: Codec[In]
    output: Codec[Out]


ANY_FLOW: Final[Flow[JsonValue, JsonValue]] = Flow("execution", "", VALUE, VALUE)
"""The flow of an untyped execution handle."""
