"""Timestamps and durations with nanosecond precision."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any, Final, TypeVar

from .codec import Codec, ShapeError, describe
from .pydantic_schema import text_schema

if TYPE_CHECKING:
    from .._json_value import JsonValue

T = TypeVar("T")

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=timezone.utc)
_TIMESTAMP: Final = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})T([0-9]{2}:[0-9]{2}:[0-9]{2})"
    r"(?:\.([0-9]{1,9}))?(?:Z|([+-])([0-9]{2}):([0-9]{2}))"
)
_DURATION: Final = re.compile(r"(-?)([0-9]{1,12})(?:\.([0-9]{1,9}))?s")
_FIRST_SECOND: Final = -62_135_596_800
_LAST_SECOND: Final = 253_402_300_799
_LONGEST_SECONDS: Final = 315_576_000_000
_NANOS: Final = 1_000_000_000


@dataclass(frozen=True, order=True, slots=True)
class Timestamp:
    """A point in time (``google.protobuf.Timestamp``) in the years 1 to 9999.

    Attributes:
        seconds: Seconds since 1970-01-01T00:00:00Z.
        nanos: Nanoseconds within the second, 0 to 999,999,999.
    """

    seconds: int = 0
    nanos: int = 0

    @classmethod
    def from_datetime(cls, moment: datetime) -> Timestamp:
        """Convert from a ``datetime`` with a time zone.

        Raises:
            ValueError: The ``datetime`` has no time zone.
        """
        if moment.tzinfo is None:
            raise ValueError("the datetime has no time zone: set its tzinfo")
        since = moment - _EPOCH
        return cls(since.days * 86_400 + since.seconds, since.microseconds * 1_000)

    @classmethod
    def now(cls) -> Timestamp:
        """Return the current time."""
        return cls.from_datetime(datetime.now(timezone.utc))

    def to_datetime(self) -> datetime:
        """Convert to a ``datetime`` in UTC, truncated to microseconds."""
        return _EPOCH + timedelta(
            seconds=self.seconds, microseconds=self.nanos // 1_000
        )

    def __str__(self) -> str:
        """Return the time as in ProtoJSON, such as ``2026-01-31T09:30:00Z``."""
        return _shown(self, TimestampCodec())

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        """Let pydantic validate times and ProtoJSON, and print ProtoJSON."""
        del source, handler
        codec = TimestampCodec()
        return text_schema(_read_timestamp, codec.encode, format_name="date-time")


@dataclass(frozen=True, order=True, slots=True)
class Duration:
    """A span of time (``google.protobuf.Duration``).

    Attributes:
        seconds: Whole seconds.
        nanos: Nanoseconds within the second, with the sign of ``seconds``.
    """

    seconds: int = 0
    nanos: int = 0

    @classmethod
    def from_timedelta(cls, span: timedelta) -> Duration:
        """Convert from a ``timedelta``."""
        micros = span // timedelta(microseconds=1)
        seconds, rest = divmod(abs(micros), 1_000_000)
        sign = -1 if micros < 0 else 1
        return cls(sign * seconds, sign * rest * 1_000)

    def to_timedelta(self) -> timedelta:
        """Convert to a ``timedelta``, truncated to microseconds."""
        micros = abs(self.nanos) // 1_000
        return timedelta(
            seconds=self.seconds, microseconds=-micros if self.nanos < 0 else micros
        )

    def __str__(self) -> str:
        """Return the span as in ProtoJSON, such as ``1.500s``."""
        return _shown(self, DurationCodec())

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        """Let pydantic validate spans and ProtoJSON, and print ProtoJSON."""
        del source, handler
        return text_schema(_read_duration, DurationCodec().encode)


class TimestampCodec:
    """Codec of timestamps as RFC 3339 strings."""

    def decode(self, value: JsonValue) -> Timestamp:
        """Decode RFC 3339 with any UTC offset."""
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

    def encode(self, value: Timestamp | datetime) -> JsonValue:
        """Encode RFC 3339 in UTC with 0, 3, 6 or 9 fractional digits."""
        if isinstance(value, datetime):
            try:
                value = Timestamp.from_datetime(value)
            except ValueError as error:
                raise ShapeError(str(error)) from None
        if not isinstance(value, Timestamp):
            raise ShapeError(f"expected Timestamp, got {describe(value)}")
        _check_timestamp(value)
        moment = _EPOCH + timedelta(seconds=value.seconds)
        text = moment.replace(tzinfo=None).isoformat()
        return f"{text}{_print_fraction(value.nanos)}Z"

    def is_default(self, value: Timestamp) -> bool:
        """Return ``False``, because timestamps have presence."""
        del value
        return False


class DurationCodec:
    """Codec of durations as seconds with the suffix ``s``."""

    def decode(self, value: JsonValue) -> Duration:
        """Decode seconds with up to nine fractional digits."""
        match = _DURATION.fullmatch(value) if isinstance(value, str) else None
        if match is None:
            raise ShapeError(
                f"expected a duration such as '1.5s', got {describe(value)}"
            )
        sign = -1 if match[1] else 1
        return _check_duration(
            Duration(sign * int(match[2]), sign * _read_fraction(match[3]))
        )

    def encode(self, value: Duration | timedelta) -> JsonValue:
        """Encode seconds with 0, 3, 6 or 9 fractional digits."""
        if isinstance(value, timedelta):
            value = Duration.from_timedelta(value)
        if not isinstance(value, Duration):
            raise ShapeError(f"expected Duration, got {describe(value)}")
        _check_duration(value)
        sign = "-" if value.seconds < 0 or value.nanos < 0 else ""
        return f"{sign}{abs(value.seconds)}{_print_fraction(abs(value.nanos))}s"

    def is_default(self, value: Duration) -> bool:
        """Return ``False``, because durations have presence."""
        del value
        return False


def _check_timestamp(value: Timestamp) -> Timestamp:
    _check_whole(value)
    in_range = _FIRST_SECOND <= value.seconds <= _LAST_SECOND
    if not in_range or not 0 <= value.nanos < _NANOS:
        raise ShapeError(f"{value!r} is out of range")
    return value


def _check_duration(value: Duration) -> Duration:
    _check_whole(value)
    in_range = abs(value.seconds) <= _LONGEST_SECONDS and abs(value.nanos) < _NANOS
    if not in_range or value.seconds * value.nanos < 0:
        raise ShapeError(f"{value!r} is out of range")
    return value


def _check_whole(value: Timestamp | Duration) -> None:
    if not isinstance(value.seconds, int) or not isinstance(value.nanos, int):
        raise ShapeError(f"seconds and nanos must be int, got {value!r}")


def _shown(value: T, codec: Codec[T]) -> str:
    try:
        return str(codec.encode(value))
    except ShapeError:
        # Out of range.
        return repr(value)


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


def _read_timestamp(value: Any) -> Timestamp:
    """Convert a value that pydantic validates."""
    if isinstance(value, Timestamp):
        return value
    if isinstance(value, datetime):
        return Timestamp.from_datetime(value)
    try:
        return TimestampCodec().decode(value)
    except ShapeError as error:
        raise error.to_message_error("Timestamp") from None


def _read_duration(value: Any) -> Duration:
    """Convert a value that pydantic validates."""
    if isinstance(value, Duration):
        return value
    if isinstance(value, timedelta):
        return Duration.from_timedelta(value)
    try:
        return DurationCodec().decode(value)
    except ShapeError as error:
        raise error.to_message_error("Duration") from None
