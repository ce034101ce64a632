package protojson

import (
	"bytes"
	"encoding/json"
	"strconv"

	"svc.runtime/svc"
)

// Codecs of well-known types for arbitrary JSON. Numbers are float64; integers that a
// float64 would round are [json.Number].
var (
	// ValueCodec is the codec of google.protobuf.Value in fields, where nil means
	// absent, and null elsewhere.
	ValueCodec = Codec[any]{
		name:      "google.protobuf.Value",
		read:      readFieldValue,
		write:     func(w *writer, value any) error { return w.value(value) },
		isDefault: never[any],
		isNil:     func(value any) bool { return value == nil },
		readsNull: true,
	}
	// ItemCodec is the codec of google.protobuf.Value in lists and maps and on its
	// own, where nil is null.
	ItemCodec = Codec[any]{
		name:      "google.protobuf.Value",
		read:      readValue,
		write:     func(w *writer, value any) error { return w.value(value) },
		isDefault: never[any],
		isNil:     func(value any) bool { return value == nil },
	}
	// StructCodec is the codec of google.protobuf.Struct.
	StructCodec = objectCodec[map[string]any]("google.protobuf.Struct")
	// AnyCodec is the codec of google.protobuf.Any.
	AnyCodec = objectCodec[svc.Any]("google.protobuf.Any")
	// ListValueCodec is the codec of google.protobuf.ListValue.
	ListValueCodec = Codec[[]any]{
		name:      "google.protobuf.ListValue",
		read:      readListValue,
		write:     writeListValue,
		isDefault: never[[]any],
		isNil:     func(value []any) bool { return value == nil },
	}
	// NullCodec is the codec of google.protobuf.NullValue.
	NullCodec = Codec[svc.NullValue]{
		name:             "google.protobuf.NullValue",
		read:             readNull,
		write:            writeNull,
		isDefault:        func(svc.NullValue) bool { return true },
		readsNullInOneof: true,
	}
	// JSONCodec is the codec of JSON of any type, as received.
	JSONCodec = Codec[json.RawMessage]{
		name:      "JSON",
		read:      func(r *reader) (json.RawMessage, error) { return r.raw(), nil },
		write:     func(w *writer, value json.RawMessage) error { return w.value(value) },
		isDefault: never[json.RawMessage],
		isNil:     func(value json.RawMessage) bool { return value == nil },
	}
	// EmptyCodec is the codec of google.protobuf.Empty.
	EmptyCodec = NewMessage[svc.Empty]("google.protobuf.Empty").Codec()
)

func objectCodec[T ~map[string]any](name string) Codec[T] {
	return Codec[T]{
		name: name,
		read: func(r *reader) (T, error) {
			if r.peek() != '{' {
				return nil, problemf("expected an object, got %s", r.describe())
			}
			value, err := readObject(r)
			return T(value), err
		},
		write: func(w *writer, value T) error {
			if value == nil {
				w.raw("{}")
				return nil
			}
			return w.value(map[string]any(value))
		},
		isDefault: never[T],
		isNil:     func(value T) bool { return value == nil },
	}
}

func readFieldValue(r *reader) (any, error) {
	if r.takeNull() {
		return svc.NullValue{}, nil
	}
	return readValue(r)
}

func readValue(r *reader) (any, error) {
	switch r.peek() {
	case '{':
		return readObject(r)
	case '[':
		return readListValue(r)
	case '"':
		return readString(r)
	case 't', 'f':
		return readBool(r)
	case 'n':
		r.raw()
		return nil, nil
	}
	return exactNumber(r.raw())
}

func readObject(r *reader) (map[string]any, error) {
	value := make(map[string]any)
	err := r.object(func(key []byte) (err error) {
		name := string(key)
		if _, isGiven := value[name]; isGiven {
			return beneath(name, errGivenTwice)
		}
		if value[name], err = readValue(r); err != nil {
			return beneath(name, err)
		}
		return nil
	})
	return value, err
}

func readListValue(r *reader) ([]any, error) {
	value := []any{}
	err := r.list(func() error {
		item, err := readValue(r)
		value = append(value, item)
		return err
	})
	return value, err
}

func writeListValue(w *writer, value []any) error {
	if value == nil {
		w.raw("[]")
		return nil
	}
	return w.value(value)
}

// largestExact bounds the integers that a float64 represents exactly.
const largestExact = 1 << 53

func exactNumber(text []byte) (any, error) {
	if !bytes.ContainsAny(text, ".eE") && len(text) > 15 {
		integer, err := strconv.ParseInt(string(text), 10, 64)
		if err != nil || integer > largestExact || integer < -largestExact {
			return json.Number(text), nil
		}
	}
	value, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return nil, problemf("out of range for 64 bits")
	}
	return value, nil
}

func readNull(r *reader) (svc.NullValue, error) {
	if r.takeNull() {
		return svc.NullValue{}, nil
	}
	switch string(r.raw()) {
	case "0", `"NULL_VALUE"`:
		return svc.NullValue{}, nil
	}
	return svc.NullValue{}, problemf("expected null")
}

func writeNull(w *writer, _ svc.NullValue) error {
	w.raw("null")
	return nil
}
