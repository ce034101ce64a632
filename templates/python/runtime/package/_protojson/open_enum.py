"""Enums that stay open: a value that this package does not know survives a round trip."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Generic, TypeVar

from .codec import ShapeError, describe
from .scalars import INT32, STRING

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Self

    from .json_text import JsonValue


class OpenEnum(str, Enum):
    """A proto enum; each member is its proto name as text and has a ``number``.

    ``State("STATEPAID")`` and ``State(2)`` find a member. A name or number that is not
    declared makes a value that is no member of the class but equals itself, and is sent
    as it came: newer services do not break older callers.
    """

    _value_: str
    number: int | None
    """Number in the proto, ``None`` for an unknown name."""

    def __new__(cls, name: str, number: int | None = None) -> Self:
        """Make a member of its proto name and number."""
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
        """Further proto names of members, for enums with ``allow_alias``."""
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
        """Give the proto name."""
        return str(self._value_)


E = TypeVar("E", bound=OpenEnum)


class EnumCodec(Generic[E]):
    """An enum: its name in JSON, its number where the name is unknown."""

    def __init__(self, enum: type[E], default: E) -> None:
        self._enum = enum
        self._default = default
        self._members: dict[object, E] = {}
        for member in enum:
            self._members[member.value] = member
            self._members.setdefault(member.number, member)

    def decode(self, value: JsonValue) -> E:
        """Read a name or a number."""
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
        """Write the name, or the number when the name is unknown."""
        if not isinstance(value, self._enum):
            raise ShapeError(f"expected {self._enum.__name__}, got {describe(value)}")
        name = value._value_
        return name if name in self._members or value.number is None else value.number

    def _find(self, value: object) -> E:
        # Looking up takes one argument, whatever the parameters of `__new__` are.
        find: Callable[[object], E] = self._enum
        return find(value)

    def is_default(self, value: E) -> bool:
        """Tell whether the value is the enum's first."""
        return value == self._default
