package protojson

import (
	"cmp"
	"strconv"
)

// KeyCodec is the codec of map keys, which are strings in JSON.
type KeyCodec[K comparable] struct {
	read  func(text []byte) (K, error)
	write func(*writer, K) error
	// compare orders keys, which makes the encoding deterministic.
	compare func(a, b K) int
}

// Codecs of map key types.
var (
	BoolKey   = KeyCodec[bool]{read: readBoolKey, write: writeBoolKey, compare: compareBools}
	StringKey = KeyCodec[string]{
		read:    func(text []byte) (string, error) { return string(text), nil },
		write:   writeString,
		compare: cmp.Compare[string],
	}
	Int32Key  = numberKey(parseInt32, func(key int32) string { return strconv.FormatInt(int64(key), 10) })
	Int64Key  = numberKey(parseInt64, func(key int64) string { return strconv.FormatInt(key, 10) })
	Uint32Key = numberKey(parseUint32, func(key uint32) string { return strconv.FormatUint(uint64(key), 10) })
	Uint64Key = numberKey(parseUint64, func(key uint64) string { return strconv.FormatUint(key, 10) })
)

func numberKey[K cmp.Ordered](parse func([]byte) (K, error), format func(K) string) KeyCodec[K] {
	return KeyCodec[K]{
		read: func(text []byte) (K, error) {
			if !isNumber(text) {
				var none K
				return none, problemf("expected a number as key, got %q", text)
			}
			return parse(text)
		},
		write: func(w *writer, key K) error {
			w.quoted(format(key))
			return nil
		},
		compare: cmp.Compare[K],
	}
}

func readBoolKey(text []byte) (bool, error) {
	switch string(text) {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, problemf("expected true or false as key, got %q", text)
}

func writeBoolKey(w *writer, key bool) error {
	w.quoted(strconv.FormatBool(key))
	return nil
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
