package svc

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// TimestampCodec reads and writes google.protobuf.Timestamp: RFC 3339, exact to the
// nanosecond, years 1 to 9999.
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
	// A comma and more digits than nanoseconds are Go's own liberties.
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
		return value, problemf("a timestamp lies in the years 1 to 9999")
	}
	return value, nil
}

// Duration is a span of time (google.protobuf.Duration), exact to the nanosecond
// and up to 10,000 years, which is more than a [time.Duration] holds.
type Duration struct {
	// Seconds are the whole seconds.
	Seconds int64
	// Nanos are the rest in nanoseconds, of the same sign as Seconds.
	Nanos int32
}

// NewDuration makes one of a [time.Duration].
func NewDuration(span time.Duration) Duration {
	return Duration{Seconds: int64(span / time.Second), Nanos: int32(span % time.Second)}
}

// Span gives a [time.Duration]; a span that it cannot hold is the longest that it
// can.
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

// String gives the span in seconds: "1.500s".
func (d Duration) String() string {
	sign := ""
	if d.Seconds < 0 || d.Nanos < 0 {
		sign = "-"
	}
	seconds, nanos := d.Seconds, int(d.Nanos)
	return fmt.Sprintf("%s%d%ss", sign, max(seconds, -seconds), formatFraction(max(nanos, -nanos)))
}

// DurationCodec reads and writes google.protobuf.Duration: seconds with an s behind
// them.
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
		return problemf("a duration is at most 10,000 years")
	}
	if d.Seconds > 0 && d.Nanos < 0 || d.Seconds < 0 && d.Nanos > 0 {
		return problemf("seconds and nanos of a duration have one sign")
	}
	return nil
}

// readForm reads a string that is to be of a certain form.
func readForm(r *reader, form string) (string, error) {
	if r.peek() != '"' {
		return "", problemf("expected %s, got %s", form, r.describe())
	}
	text, err := r.text()
	return string(text), err
}

// isDigits tells whether a text is made of 1 to longest digits.
func isDigits(text string, longest int) bool {
	for _, char := range []byte(text) {
		if char < '0' || char > '9' {
			return false
		}
	}
	return len(text) > 0 && len(text) <= longest
}

// formatFraction gives none, three, six or nine digits after a point, as few as
// hold the nanoseconds.
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
