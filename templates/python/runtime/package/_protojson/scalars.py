"""Codecs of scalar types."""

from __future__ import annotations

import base64
import binascii
import math
import re
from typing import TYPE_CHECKING, Final

from .codec import ShapeError, describe

if TYPE_CHECKING:
    from .._json_value import JsonValue

_FEW: Final = 20
_INTEGER: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,19})")
_NUMBER: Final = re.compile(
    r"-?(?:0|[1-9][0-9]{0,99})(?:\.[0-9]{1,99})?(?:[eE][+-]?[0-9]{1,3})?"
)
_SPECIAL: Final = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_LARGEST_FLOAT32: Final = 3.4028235677973366e38
_LARGEST_EXACT: Final = 2.0**53


class IntegerCodec:
    """Codec of integers: JSON numbers for 32 bits, strings for 64 bits."""

    def __init__(self, name: str, low: int, high: int, *, as_text: bool) -> None:
        self._name = name
        self._low = low
        self._high = high
        self._as_text = as_text

    def decode(self, value: JsonValue) -> int:
        """Decode a number or a numeric string. A fractional part must be zero."""
        if type(value) is int and self._low <= value <= self._high:
            return value
        # Fast path: the regular expressions below are slow for short digit strings.
        if type(value) is str and len(value) < _FEW and value.isdecimal():
            number = int(value)
            if str(number) == value and number <= self._high:
                return number
        if isinstance(value, int) and not isinstance(value, bool):
            return self._check(value)
        if isinstance(value, str):
            if _INTEGER.fullmatch(value):
                return self._check(int(value))
            if _NUMBER.fullmatch(value):
                value = float(value)
        if isinstance(value, float) and value.is_integer():
            if abs(value) >= _LARGEST_EXACT:
                raise ShapeError(
                    "a number this large must not have a fraction or an exponent"
                )
            return self._check(int(value))
        raise ShapeError(f"expected {self._name}, got {describe(value)}")

    def encode(self, value: int) -> JsonValue:
        """Encode a number, or a string for 64-bit types."""
        if type(value) is int and self._low <= value <= self._high:
            return str(value) if self._as_text else value
        if not isinstance(value, int) or isinstance(value, bool):
            raise ShapeError(f"expected {self._name}, got {describe(value)}")
        checked = int(self._check(value))
        return str(checked) if self._as_text else checked

    def is_default(self, value: int) -> bool:
        """Report whether the value is 0."""
        return value == 0 and not isinstance(value, bool)

    def _check(self, value: int) -> int:
        if not self._low <= value <= self._high:
            raise ShapeError(f"{value} is out of the range of {self._name}")
        return value


class FloatCodec:
    """Codec of floats: JSON numbers or ``NaN``, ``Infinity``, ``-Infinity``."""

    def __init__(self, name: str, largest: float) -> None:
        self._name = name
        self._largest = largest

    def decode(self, value: JsonValue) -> float:
        """Decode a number, a numeric string or a special value."""
        if type(value) is float and -self._largest <= value <= self._largest:
            return value
        if isinstance(value, str):
            if value in _SPECIAL:
                return _SPECIAL[value]
            if not _NUMBER.fullmatch(value):
                raise ShapeError(f"expected {self._name}, got {describe(value)}")
            return self._check(float(value))
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return self._check(_to_float(value, self._name))
        raise ShapeError(f"expected {self._name}, got {describe(value)}")

    def encode(self, value: float) -> JsonValue:
        """Encode a number, without a fraction if it is whole."""
        fits = type(value) is float and -self._largest <= value <= self._largest
        if fits and not value.is_integer():
            return value
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            raise ShapeError(f"expected {self._name}, got {describe(value)}")
        number = _to_float(value, self._name)
        if math.isnan(number):
            return "NaN"
        if math.isinf(number):
            return "Infinity" if number > 0 else "-Infinity"
        self._check(number)
        whole = number.is_integer() and abs(number) < _LARGEST_EXACT
        negative_zero = number == 0 and math.copysign(1, number) < 0
        return int(number) if whole and not negative_zero else number

    def is_default(self, value: float) -> bool:
        """Report whether the value is 0, as opposed to -0.0."""
        return value == 0 and math.copysign(1, value) > 0

    def _check(self, value: float) -> float:
        if not -self._largest <= value <= self._largest:
            raise ShapeError(f"{value} is out of the range of {self._name}")
        return value


class BoolCodec:
    """Codec of booleans."""

    def decode(self, value: JsonValue) -> bool:
        """Decode a JSON boolean."""
        if isinstance(value, bool):
            return value
        raise ShapeError(f"expected bool, got {describe(value)}")

    def encode(self, value: bool) -> JsonValue:
        """Encode a JSON boolean."""
        if isinstance(value, bool):
            return value
        raise ShapeError(f"expected bool, got {describe(value)}")

    def is_default(self, value: bool) -> bool:
        """Report whether the value is ``False``."""
        return value is False


class StringCodec:
    """Codec of strings."""

    def decode(self, value: JsonValue) -> str:
        """Decode a JSON string."""
        if isinstance(value, str):
            return value if value.isascii() else check_unicode(value)
        raise ShapeError(f"expected str, got {describe(value)}")

    def encode(self, value: str) -> JsonValue:
        """Encode a JSON string."""
        if type(value) is str and value.isascii():
            return value
        if not isinstance(value, str):
            raise ShapeError(f"expected str, got {describe(value)}")
        return str(check_unicode(value))

    def is_default(self, value: str) -> bool:
        """Report whether the string is empty."""
        return value == ""


def check_unicode(text: str) -> str:
    """Reject unpaired surrogates, which UTF-8 cannot encode."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ShapeError(f"not valid Unicode: {error.reason}") from error
    return text


class BytesCodec:
    """Codec of bytes as base64. Decoding also accepts URL-safe and unpadded base64."""

    def decode(self, value: JsonValue) -> bytes:
        """Decode base64."""
        if not isinstance(value, str):
            raise ShapeError(f"expected base64, got {describe(value)}")
        text = value.translate(_URL_SAFE).rstrip("=")
        try:
            return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
        except (binascii.Error, ValueError) as error:
            raise ShapeError(f"expected base64, got {describe(value)}") from error

    def encode(self, value: bytes) -> JsonValue:
        """Encode padded base64 in the standard alphabet."""
        if not isinstance(value, (bytes, bytearray, memoryview)):
            raise ShapeError(f"expected bytes, got {describe(value)}")
        return base64.b64encode(value).decode("ascii")

    def is_default(self, value: bytes) -> bool:
        """Report whether the value is empty."""
        return value == b""


def _to_float(value: float, name: str) -> float:
    try:
        return float(value)
    except OverflowError as error:
        raise ShapeError(f"the number is out of the range of {name}") from error


_URL_SAFE: Final = str.maketrans("-_", "+/")

INT32: Final = IntegerCodec("int32", -(2**31), 2**31 - 1, as_text=False)
UINT32: Final = IntegerCodec("uint32", 0, 2**32 - 1, as_text=False)
INT64: Final = IntegerCodec("int64", -(2**63), 2**63 - 1, as_text=True)
UINT64: Final = IntegerCodec("uint64", 0, 2**64 - 1, as_text=True)
FLOAT: Final = FloatCodec("float", _LARGEST_FLOAT32)
DOUBLE: Final = FloatCodec("double", 1.7976931348623157e308)
BOOL: Final = BoolCodec()
STRING: Final = StringCodec()
BYTES: Final = BytesCodec()
