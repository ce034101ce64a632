"""Points and spans of time, exact to the nanosecond."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Final

from .codec import ShapeError, describe

if TYPE_CHECKING:
    from .json_text import JsonValue

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=timezone.utc)
_TIMESTAMP: Final = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt]([0-9]{2}:[0-9]{2}:[0-9]{2})"
    r"(?:\.([0-9]{1,9}))?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))"
)
_DURATION: Final = re.compile(r"(-?)([0-9]{1,12})(?:\.([0-9]{1,9}))?s")
_FIRST_SECOND: Final = -62_135_596_800
_LAST_SECOND: Final = 253_402_300_799
_LONGEST_SECONDS: Final = 315_576_000_000
_NANOS: Final = 1_000_000_000


@dataclass(frozen=True, order=True, slots=True)
class Timestamp:
    """A point in time (``google.protobuf.Timestamp``), years 1 to 9999.

    Attributes:
        seconds: Seconds since 1970-01-01T00:00:00Z.
        nanos: Nanoseconds of that second, 0 to 999,999,999.
    """

    seconds: int = 0
    nanos: int = 0

    @classmethod
    def from_datetime(cls, moment: datetime) -> Timestamp:
        """Make one of an aware ``datetime``.

        Raises:
            ValueError: The ``datetime`` has no time zone.
        """
        if moment.tzinfo is None:
            raise ValueError("the datetime has no time zone: give it a tzinfo")
        since = moment - _EPOCH
        return cls(since.days * 86_400 + since.seconds, since.microseconds * 1_000)

    @classmethod
    def now(cls) -> Timestamp:
        """Take the present moment."""
        return cls.from_datetime(datetime.now(timezone.utc))

    def to_datetime(self) -> datetime:
        """Give a ``datetime`` in UTC, cut to microseconds."""
        return _EPOCH + timedelta(
            seconds=self.seconds, microseconds=self.nanos // 1_000
        )


@dataclass(frozen=True, order=True, slots=True)
class Duration:
    """A span of time (``google.protobuf.Duration``).

    Attributes:
        seconds: Whole seconds.
        nanos: The rest in nanoseconds, of the same sign as ``seconds``.
    """

    seconds: int = 0
    nanos: int = 0

    @classmethod
    def from_timedelta(cls, span: timedelta) -> Duration:
        """Make one of a ``timedelta``."""
        micros = span // timedelta(microseconds=1)
        seconds, rest = divmod(abs(micros), 1_000_000)
        sign = -1 if micros < 0 else 1
        return cls(sign * seconds, sign * rest * 1_000)

    def to_timedelta(self) -> timedelta:
        """Give a ``timedelta``, cut to microseconds."""
        micros = abs(self.nanos) // 1_000
        return timedelta(
            seconds=self.seconds, microseconds=-micros if self.nanos < 0 else micros
        )


class TimestampCodec:
    """A timestamp as RFC 3339 text."""

    def decode(self, value: JsonValue) -> Timestamp:
        """Read RFC 3339 with any offset."""
        match = _TIMESTAMP.fullmatch(value) if isinstance(value, str) else None
        if match is None:
            raise ShapeError(f"expected an RFC 3339 time, got {describe(value)}")
        day, clock, fraction, sign, hours, minutes = match.groups()
        try:
            moment = datetime.fromisoformat(f"{day}T{clock}+00:00")
        except ValueError as error:
            raise ShapeError(
                f"expected an RFC 3339 time, got {describe(value)}"
            ) from error
        offset = 0
        if sign is not None:
            offset = (int(hours) * 3_600 + int(minutes) * 60) * (
                -1 if sign == "-" else 1
            )
        whole = Timestamp.from_datetime(moment).seconds - offset
        return _check_timestamp(Timestamp(whole, _read_fraction(fraction)))

    def encode(self, value: Timestamp) -> JsonValue:
        """Write RFC 3339 in UTC with 0, 3, 6 or 9 digits of fraction."""
        if not isinstance(value, Timestamp):
            raise ShapeError(f"expected Timestamp, got {describe(value)}")
        _check_timestamp(value)
        moment = _EPOCH + timedelta(seconds=value.seconds)
        text = moment.replace(tzinfo=None).isoformat()
        return f"{text}{_print_fraction(value.nanos)}Z"

    def is_default(self, value: Timestamp) -> bool:
        """Never: a timestamp field has presence."""
        del value
        return False


class DurationCodec:
    """A duration as seconds with an ``s`` behind them."""

    def decode(self, value: JsonValue) -> Duration:
        """Read seconds with up to nine digits of fraction."""
        match = _DURATION.fullmatch(value) if isinstance(value, str) else None
        if match is None:
            raise ShapeError(f"expected a duration like '1.5s', got {describe(value)}")
        sign = -1 if match[1] else 1
        return _check_duration(
            Duration(sign * int(match[2]), sign * _read_fraction(match[3]))
        )

    def encode(self, value: Duration) -> JsonValue:
        """Write seconds with 0, 3, 6 or 9 digits of fraction."""
        if not isinstance(value, Duration):
            raise ShapeError(f"expected Duration, got {describe(value)}")
        _check_duration(value)
        sign = "-" if value.seconds < 0 or value.nanos < 0 else ""
        return f"{sign}{abs(value.seconds)}{_print_fraction(abs(value.nanos))}s"

    def is_default(self, value: Duration) -> bool:
        """Never: a duration field has presence."""
        del value
        return False


def _check_timestamp(value: Timestamp) -> Timestamp:
    in_range = _FIRST_SECOND <= value.seconds <= _LAST_SECOND
    if not in_range or not 0 <= value.nanos < _NANOS:
        raise ShapeError(f"{value} is out of range")
    return value


def _check_duration(value: Duration) -> Duration:
    longest = abs(value.seconds) == _LONGEST_SECONDS
    in_range = abs(value.seconds) <= _LONGEST_SECONDS and abs(value.nanos) < _NANOS
    if not in_range or value.seconds * value.nanos < 0 or (longest and value.nanos):
        raise ShapeError(f"{value} is out of range")
    return value


def _read_fraction(digits: str | None) -> int:
    return int(digits.ljust(9, "0")) if digits else 0


def _print_fraction(nanos: int) -> str:
    if nanos == 0:
        return ""
    digits = f"{nanos:09d}"
    while digits.endswith("000"):
        digits = digits[:-3]
    return f".{digits}"


TIMESTAMP: Final = TimestampCodec()
DURATION: Final = DurationCodec()
