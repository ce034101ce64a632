package protojson

import (
	"bytes"
	"encoding/base64"
)

// Codecs of non-numeric scalar types.
var (
	BoolCodec   = Codec[bool]{name: "bool", read: readBool, write: writeBool, isDefault: isZero[bool]}
	StringCodec = Codec[string]{name: "string", read: readString, write: writeString, isDefault: isZero[string]}
	BytesCodec  = Codec[[]byte]{
		name:      "bytes",
		read:      readBytes,
		write:     writeBytes,
		isDefault: func(value []byte) bool { return len(value) == 0 },
		isNil:     func(value []byte) bool { return value == nil },
	}
)

func isZero[T comparable](value T) bool {
	var zero T
	return value == zero
}

func readBool(r *reader) (bool, error) {
	switch r.peek() {
	case 't':
		r.raw()
		return true, nil
	case 'f':
		r.raw()
		return false, nil
	}
	return false, problemf("expected a boolean, got %s", r.describe())
}

func writeBool(w *writer, value bool) error {
	if value {
		w.raw("true")
	} else {
		w.raw("false")
	}
	return nil
}

func readString(r *reader) (string, error) {
	if r.peek() != '"' {
		return "", problemf("expected a string, got %s", r.describe())
	}
	text, err := r.text()
	return string(text), err
}

func writeString(w *writer, value string) error { return w.text(value) }

// readBytes decodes base64 in the standard or URL-safe alphabet, with or without
// padding.
func readBytes(r *reader) ([]byte, error) {
	if r.peek() != '"' {
		return nil, problemf("expected base64, got %s", r.describe())
	}
	text, err := r.text()
	if err != nil {
		return nil, err
	}
	text = bytes.TrimRight(text, "=")
	encoding := base64.RawStdEncoding
	if bytes.ContainsAny(text, "-_") {
		encoding = base64.RawURLEncoding
	}
	if bytes.ContainsAny(text, "\r\n") {
		return nil, problemf("invalid base64")
	}
	value := make([]byte, encoding.DecodedLen(len(text)))
	n, err := encoding.Decode(value, text)
	if err != nil {
		return nil, problemf("invalid base64")
	}
	return value[:n], nil
}

func writeBytes(w *writer, value []byte) error {
	w.byte('"')
	w.data = base64.StdEncoding.AppendEncode(w.data, value)
	w.byte('"')
	return nil
}
