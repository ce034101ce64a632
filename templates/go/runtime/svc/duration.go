package svc

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Duration is a span of time (google.protobuf.Duration) of up to 10,000 years with
// nanosecond precision, which exceeds the range of [time.Duration].
type Duration struct {
	// Seconds is the number of whole seconds.
	Seconds int64
	// Nanos is the remainder in nanoseconds, with the sign of Seconds.
	Nanos int32
}

// NewDuration converts from a [time.Duration].
func NewDuration(span time.Duration) Duration {
	return Duration{Seconds: int64(span / time.Second), Nanos: int32(span % time.Second)}
}

// ParseDuration parses seconds with the suffix s, such as "1.5s". Errors are of kind
// [ErrMessage].
func ParseDuration(text string) (Duration, error) {
	digits, isSpan := strings.CutSuffix(text, "s")
	digits, isNegative := strings.CutPrefix(digits, "-")
	whole, fraction, hasFraction := strings.Cut(digits, ".")
	seconds, wrongSeconds := strconv.ParseInt(whole, 10, 64)
	nanos, wrongNanos := strconv.ParseInt((fraction + "000000000")[:9], 10, 32)
	isWhole := isDigits(whole, 12) && wrongSeconds == nil
	isFraction := !hasFraction || isDigits(fraction, 9) && wrongNanos == nil
	if !isSpan || !isWhole || !isFraction {
		return Duration{}, messageError(fmt.Sprintf("expected a duration such as 1.5s, got %q", text))
	}
	value := Duration{Seconds: seconds, Nanos: int32(nanos)}
	if isNegative {
		value = Duration{Seconds: -value.Seconds, Nanos: -value.Nanos}
	}
	return value, value.check()
}

// isDigits reports whether a string consists of 1 to longest digits.
func isDigits(text string, longest int) bool {
	return text != "" && len(text) <= longest && strings.Trim(text, "0123456789") == ""
}

// AsDuration converts to a [time.Duration], saturating at its limits.
func (d Duration) AsDuration() time.Duration {
	const longest = int64(math.MaxInt64 / time.Second)
	switch {
	case d.Seconds > longest || d.Seconds == longest && d.Nanos > 854_775_807:
		return math.MaxInt64
	case d.Seconds < -longest || d.Seconds == -longest && d.Nanos < -854_775_808:
		return math.MinInt64
	}
	return time.Duration(d.Seconds)*time.Second + time.Duration(d.Nanos)
}

// String returns the duration in seconds, such as "1.500s".
func (d Duration) String() string {
	sign := ""
	if d.Seconds < 0 || d.Nanos < 0 {
		sign = "-"
	}
	fraction := ""
	if d.Nanos != 0 {
		// 3, 6 or 9 digits.
		fraction = fmt.Sprintf(".%09d", max(int64(d.Nanos), -int64(d.Nanos)))
		for strings.HasSuffix(fraction, "000") {
			fraction = strings.TrimSuffix(fraction, "000")
		}
	}
	return fmt.Sprintf("%s%d%ss", sign, max(d.Seconds, -d.Seconds), fraction)
}

// MarshalText encodes the duration as String does. The error is [ErrMessage] if it is
// out of range, or if seconds and nanoseconds differ in sign.
func (d Duration) MarshalText() ([]byte, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	return []byte(d.String()), nil
}

// UnmarshalText decodes the duration as [ParseDuration] does.
func (d *Duration) UnmarshalText(text []byte) error {
	value, err := ParseDuration(string(text))
	if err == nil {
		*d = value
	}
	return err
}

// longestDuration is 10,000 years in whole seconds; a fraction may follow.
const longestDuration = 315_576_000_000

func (d Duration) check() error {
	if d.Seconds < -longestDuration || d.Seconds > longestDuration || d.Nanos <= -1e9 || d.Nanos >= 1e9 {
		return messageError("the duration exceeds 10,000 years")
	}
	if d.Seconds > 0 && d.Nanos < 0 || d.Seconds < 0 && d.Nanos > 0 {
		return messageError("seconds and nanos must have the same sign")
	}
	return nil
}
