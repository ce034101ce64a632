package svc

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// TimestampCodec is the codec of google.protobuf.Timestamp: RFC 3339 with nanosecond
// precision, years 1 to 9999.
var TimestampCodec = Codec[time.Time]{
	name:      "google.protobuf.Timestamp",
	read:      readTimestamp,
	write:     writeTimestamp,
	isDefault: never[time.Time],
}

func readTimestamp(r *reader) (time.Time, error) {
	text, err := readForm(r, "a timestamp such as 2026-01-31T12:00:00Z")
	if err != nil {
		return time.Time{}, err
	}
	value, err := time.Parse(time.RFC3339Nano, text)
	// time.Parse also accepts commas and more than nine digits.
	fraction := text[min(len(text), len("2006-01-02T15:04:05")):]
	digits := strings.IndexAny(fraction+"Z", "Z+-") - 1
	if err != nil || digits > 9 || strings.Contains(fraction, ",") {
		return time.Time{}, problemf("expected a timestamp such as 2026-01-31T12:00:00Z, got %q", text)
	}
	return checkTimestamp(value.UTC())
}

func writeTimestamp(w *writer, value time.Time) error {
	value, err := checkTimestamp(value.UTC())
	if err != nil {
		return err
	}
	w.byte('"')
	w.data = value.AppendFormat(w.data, "2006-01-02T15:04:05")
	w.raw(formatFraction(value.Nanosecond()))
	w.raw(`Z"`)
	return nil
}

func checkTimestamp(value time.Time) (time.Time, error) {
	if year := value.Year(); year < 1 || year > 9999 {
		return value, problemf("the timestamp is outside the years 1 to 9999")
	}
	return value, nil
}

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

// Span converts to a [time.Duration], saturating at its limits.
func (d Duration) Span() time.Duration {
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
	seconds, nanos := d.Seconds, int(d.Nanos)
	return fmt.Sprintf("%s%d%ss", sign, max(seconds, -seconds), formatFraction(max(nanos, -nanos)))
}

// DurationCodec is the codec of google.protobuf.Duration: seconds with the suffix s.
var DurationCodec = Codec[Duration]{
	name:      "google.protobuf.Duration",
	read:      readDuration,
	write:     writeDuration,
	isDefault: never[Duration],
}

// longestDuration is 10,000 years in seconds.
const longestDuration = 315_576_000_000

func readDuration(r *reader) (Duration, error) {
	text, err := readForm(r, "a duration such as 1.5s")
	if err != nil {
		return Duration{}, err
	}
	wrong := problemf("expected a duration such as 1.5s, got %q", text)
	digits, isSpan := strings.CutSuffix(text, "s")
	digits, isNegative := strings.CutPrefix(digits, "-")
	whole, fraction, hasFraction := strings.Cut(digits, ".")
	if !isSpan || !isDigits(whole, 12) || hasFraction && !isDigits(fraction, 9) {
		return Duration{}, wrong
	}
	seconds, err := strconv.ParseInt(whole, 10, 64)
	if err != nil {
		return Duration{}, wrong
	}
	nanos := 0
	if hasFraction {
		nanos, err = strconv.Atoi((fraction + "00000000")[:9])
		if err != nil {
			return Duration{}, wrong
		}
	}
	value := Duration{Seconds: seconds, Nanos: int32(nanos)}
	if isNegative {
		value = Duration{Seconds: -value.Seconds, Nanos: -value.Nanos}
	}
	return value, value.check()
}

func writeDuration(w *writer, value Duration) error {
	if err := value.check(); err != nil {
		return err
	}
	w.quoted(value.String())
	return nil
}

func (d Duration) check() error {
	whole := max(d.Seconds, -d.Seconds)
	isLonger := whole > longestDuration || whole == longestDuration && d.Nanos != 0
	if isLonger || d.Nanos <= -1e9 || d.Nanos >= 1e9 {
		return problemf("the duration exceeds 10,000 years")
	}
	if d.Seconds > 0 && d.Nanos < 0 || d.Seconds < 0 && d.Nanos > 0 {
		return problemf("seconds and nanos must have the same sign")
	}
	return nil
}

// readForm reads a string and parses it.
func readForm(r *reader, form string) (string, error) {
	if r.peek() != '"' {
		return "", problemf("expected %s, got %s", form, r.describe())
	}
	text, err := r.text()
	return string(text), err
}

// isDigits reports whether a string consists of 1 to longest digits.
func isDigits(text string, longest int) bool {
	for _, char := range []byte(text) {
		if char < '0' || char > '9' {
			return false
		}
	}
	return len(text) > 0 && len(text) <= longest
}

// formatFraction formats nanoseconds as a fraction of 0, 3, 6 or 9 digits.
func formatFraction(nanos int) string {
	if nanos == 0 {
		return ""
	}
	digits := fmt.Appendf(nil, ".%09d", nanos)
	for bytes.HasSuffix(digits, []byte("000")) {
		digits = digits[:len(digits)-3]
	}
	return string(digits)
}
