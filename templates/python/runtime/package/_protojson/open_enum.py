"""Open enums, which preserve unknown values."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Generic, TypeVar

from .codec import ShapeError, describe
from .scalars import INT32, STRING

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Self

    from .._json_value import JsonValue


class OpenEnum(str, Enum):
    """Base class of enums. A member is a ``str``, its proto name, with a ``number``.

    Look up members by name or number: ``State("STATEPAID")`` or ``State(2)``. An
    unknown name or number returns a value that is not a member of the class and is
    sent unchanged, so values added by newer services survive a round trip.
    """

    _value_: str
    number: int | None
    """Number in the proto file, or ``None`` for an unknown name."""

    def __new__(cls, name: str, number: int | None = None) -> Self:
        """Create a member from its proto name and number."""
        member = str.__new__(cls, name)
        member._value_ = name
        member.number = number
        return member

    @property
    def is_known(self) -> bool:
        """Whether this package declares the value."""
        return self._value_ in type(self)._value2member_map_

    @classmethod
    def _aliases(cls) -> dict[str, str]:
        """Return aliases of members by proto name, for enums with ``allow_alias``."""
        return {}

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        if isinstance(value, bool):
            return None
        if isinstance(value, int):
            known = (member for member in cls if member.number == value)
            return next(known, None) or cls._unknown(str(int(value)), int(value))
        if isinstance(value, str):
            canonical = cls._aliases().get(value)
            return cls._unknown(value, None) if canonical is None else cls(canonical)
        return None

    @classmethod
    def _unknown(cls, name: str, number: int | None) -> Self:
        stranger = str.__new__(cls, name)
        stranger._name_ = name
        stranger._value_ = name
        stranger.number = number
        return stranger

    def __str__(self) -> str:
        """Return the proto name."""
        return str(self._value_)


E = TypeVar("E", bound=OpenEnum)


class EnumCodec(Generic[E]):
    """Codec of an enum: its name, or its number if the name is unknown."""

    def __init__(self, enum: type[E], default: E) -> None:
        self._enum = enum
        self._default = default
        self._members: dict[object, E] = {}
        for member in enum:
            self._members[member.value] = member
            self._members.setdefault(member.number, member)

    def decode(self, value: JsonValue) -> E:
        """Decode a name or number."""
        if type(value) is str or type(value) is int:
            member = self._members.get(value)
            if member is not None:
                return member
        if isinstance(value, str) and value != "":
            return self._find(STRING.decode(value))
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise ShapeError(f"expected {self._enum.__name__}, got {describe(value)}")
        return self._find(INT32.decode(value))

    def encode(self, value: E) -> JsonValue:
        """Encode the name, or the number if the name is unknown."""
        if not isinstance(value, self._enum):
            raise ShapeError(f"expected {self._enum.__name__}, got {describe(value)}")
        name = value._value_
        return name if name in self._members or value.number is None else value.number

    def _find(self, value: object) -> E:
        # Lookups take one argument, unlike `__new__`.
        find: Callable[[object], E] = self._enum
        return find(value)

    def is_default(self, value: E) -> bool:
        """Report whether the value is the first member."""
        return value == self._default
