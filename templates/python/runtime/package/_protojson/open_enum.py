"""Open enums, which preserve unknown values."""

from __future__ import annotations

from enum import Enum
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from .._typing import Self
from .codec import ShapeError, describe
from .pydantic_schema import text_schema
from .scalars import INT32, STRING

if TYPE_CHECKING:
    from collections.abc import Callable

    from .._json_value import JsonValue


class UnknownValue(str):
    """An enum value that this package does not know, for example from a newer service.

    It is a ``str``: the proto name, or the digits of the number. It is sent unchanged,
    so it survives a round trip.

    Attributes:
        number: The number, or ``None`` for a name.
    """

    __slots__ = ("number",)

    number: int | None

    is_known: Final = False
    """Whether this package declares the value."""

    def __new__(cls, value: str | int) -> Self:
        """Create a value from a name or number."""
        unknown = str.__new__(cls, value)
        unknown.number = value if isinstance(value, int) else None
        return unknown

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        """Let pydantic validate names and numbers, and print them."""
        del source, handler
        return text_schema(cls._validate, cls._print, is_open=True)

    @classmethod
    def _validate(cls, value: Any) -> Self:
        if isinstance(value, cls):
            return value
        if isinstance(value, (str, int)) and not isinstance(value, bool):
            return cls(value)
        raise ValueError(f"expected a name or number, got {describe(value)}")

    def _print(self) -> str | int:
        return str(self) if self.number is None else self.number

    def __repr__(self) -> str:
        """Show how to create the value."""
        shown = super().__repr__() if self.number is None else str(self)
        return f"UnknownValue({shown})"

    def __reduce__(self) -> tuple[type[UnknownValue], tuple[str | int]]:
        """Support pickling."""
        return UnknownValue, (str(self) if self.number is None else self.number,)


class OpenEnum(str, Enum):
    """Base class of enums. A member is a ``str``, its proto name, with a ``number``.

    Look up members by name or number: ``State("STATE_PAID")`` or ``State(2)``. Fields
    also hold :class:`UnknownValue`, because newer services may add values.
    """

    _value_: str
    number: int | None
    """Number in the proto file."""

    def __new__(cls, value: str | int, number: int | None = None) -> Self:
        """Create a member from its proto name and number; look one up by either."""
        member = str.__new__(cls, value)
        member._value_ = str(value)
        member.number = number
        return member

    @property
    def is_known(self) -> bool:
        """Whether this package declares the value, as it does every member."""
        return True

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        """Let pydantic validate names and numbers, and print names."""
        del source, handler
        return text_schema(cls._read, str, names=[str(member) for member in cls])

    @classmethod
    def _read(cls, value: str | int) -> Self:
        return cls(value)

    @classmethod
    def _aliases(cls) -> dict[str, str]:
        """Return aliases of members by proto name, for enums with ``allow_alias``."""
        return {}

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        if isinstance(value, int) and not isinstance(value, bool):
            return next((member for member in cls if member.number == value), None)
        if isinstance(value, str):
            canonical = cls._aliases().get(value)
            if canonical is not None:
                return cls(canonical)
            raise ValueError(
                f"{describe(value)} is not a valid {cls.__name__}{_known_names(cls)}"
            )
        return None

    def __str__(self) -> str:
        """Return the proto name."""
        return str(self._value_)


E = TypeVar("E", bound=OpenEnum)

_SHOWN: Final = 10
"""Maximum number of enum names in an error message."""


def _known_names(enum: type[OpenEnum]) -> str:
    """List the first names of an enum, for the end of an error message."""
    names = ", ".join(str(member) for member in islice(enum, _SHOWN))
    return f"; known names are {names}{', ...' if len(enum) > _SHOWN else ''}"


class EnumCodec(Generic[E]):
    """Codec of an enum: its name, or its number if the name is unknown."""

    def __init__(self, enum: type[E], default: E) -> None:
        self._enum = enum
        self._default = default
        self._members: dict[object, E] = {}
        for member in enum:
            self._members[member.value] = member
            self._members.setdefault(member.number, member)

    def decode(self, value: JsonValue) -> E | UnknownValue:
        """Decode a name or number."""
        if type(value) is str or type(value) is int:
            member = self._members.get(value)
            if member is not None:
                return member
        if isinstance(value, str) and value != "":
            return self._find(value) or UnknownValue(STRING.decode(value))
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise ShapeError(f"expected {self._enum.__name__}, got {describe(value)}")
        number = INT32.decode(value)
        return self._members.get(number) or UnknownValue(number)

    def encode(self, value: E | UnknownValue | str) -> JsonValue:
        """Encode the name, or the number if the name is unknown."""
        if isinstance(value, self._enum):
            return value._value_
        if isinstance(value, UnknownValue):
            given: object = str(value) if value.number is None else value.number
            member = self._find(given)
            if member is not None:
                return member._value_
            number = value.number
            return str(value) if number is None else INT32.encode(number)
        # Members of other enums are strings as well.
        member = self._find(value) if type(value) is str else None
        if member is None:
            problem = f"expected {self._enum.__name__}, got {describe(value)}"
            raise ShapeError(problem + _known_names(self._enum))
        return member._value_

    def _find(self, value: object) -> E | None:
        """Find a member by its name, an alias or its number."""
        # An enum lookup takes one argument, unlike `__new__`.
        find: Callable[[object], E] = self._enum
        try:
            return find(value)
        except ValueError:
            return None

    def is_default(self, value: E | UnknownValue | str) -> bool:
        """Report whether the value is the first member."""
        return value == self._default
