package protojson

import (
	"encoding"
	"strings"
	"time"

	"svc.runtime/svc"
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
	// time.Parse also accepts commas, hours of one digit and more than nine digits.
	whole := min(len(text), len("2006-01-02T15:04:05"))
	digits := strings.IndexAny(text[whole:]+"Z", "Z+-") - 1
	if err != nil || digits > 9 || text[len("2006-01-02T15")] != ':' || strings.Contains(text, ",") {
		return time.Time{}, problemf("expected a timestamp such as 2026-01-31T12:00:00Z, got %q", text)
	}
	return checkTimestamp(value.UTC())
}

func writeTimestamp(w *writer, value time.Time) error {
	value, err := checkTimestamp(value.UTC())
	if err != nil {
		return err
	}
	layout := "2006-01-02T15:04:05.000000000Z"
	switch nanos := value.Nanosecond(); {
	case nanos == 0:
		layout = "2006-01-02T15:04:05Z"
	case nanos%1e6 == 0:
		layout = "2006-01-02T15:04:05.000Z"
	case nanos%1e3 == 0:
		layout = "2006-01-02T15:04:05.000000Z"
	}
	w.byte('"')
	w.data = value.AppendFormat(w.data, layout)
	w.byte('"')
	return nil
}

func checkTimestamp(value time.Time) (time.Time, error) {
	if year := value.Year(); year < 1 || year > 9999 {
		return value, problemf("the timestamp is outside the years 1 to 9999")
	}
	return value, nil
}

// DurationCodec is the codec of google.protobuf.Duration: seconds with the suffix s.
var DurationCodec = Codec[svc.Duration]{
	name: "google.protobuf.Duration",
	read: func(r *reader) (svc.Duration, error) {
		var value svc.Duration
		err := readText(r, "a duration such as 1.5s", &value)
		return value, err
	},
	write:     func(w *writer, value svc.Duration) error { return writeText(w, value) },
	isDefault: never[svc.Duration],
}

// FieldMaskCodec is the codec of google.protobuf.FieldMask: a comma-separated string
// of camel-case paths.
var FieldMaskCodec = Codec[svc.FieldMask]{
	name: "google.protobuf.FieldMask",
	read: func(r *reader) (svc.FieldMask, error) {
		var value svc.FieldMask
		err := readText(r, "a field mask such as user.displayName,photo", &value)
		return value, err
	},
	write:     func(w *writer, value svc.FieldMask) error { return writeText(w, value) },
	isDefault: never[svc.FieldMask],
	isNil:     func(value svc.FieldMask) bool { return value == nil },
}

// readText reads a string and lets the value decode it.
func readText(r *reader, form string, value encoding.TextUnmarshaler) error {
	text, err := readForm(r, form)
	if err != nil {
		return err
	}
	return value.UnmarshalText([]byte(text))
}

func writeText(w *writer, value encoding.TextMarshaler) error {
	text, err := value.MarshalText()
	if err != nil {
		return err
	}
	return w.text(string(text))
}

// readForm reads a string. form describes it in error messages.
func readForm(r *reader, form string) (string, error) {
	if r.peek() != '"' {
		return "", problemf("expected %s, got %s", form, r.describe())
	}
	text, err := r.text()
	return string(text), err
}
