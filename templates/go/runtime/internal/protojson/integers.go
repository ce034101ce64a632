package protojson

import (
	"math"
	"math/big"
	"strconv"
)

// Codecs of integers: JSON numbers for 32 bits, strings for 64 bits. Both forms are
// accepted when decoding.
var (
	Int32Codec  = Codec[int32]{name: "int32", read: readInt32, write: writeInt32, isDefault: isZero[int32]}
	Int64Codec  = Codec[int64]{name: "int64", read: readInt64, write: writeInt64, isDefault: isZero[int64]}
	Uint32Codec = Codec[uint32]{name: "uint32", read: readUint32, write: writeUint32, isDefault: isZero[uint32]}
	Uint64Codec = Codec[uint64]{name: "uint64", read: readUint64, write: writeUint64, isDefault: isZero[uint64]}
)

func readInt32(r *reader) (int32, error) {
	text, err := r.number()
	if err != nil {
		return 0, err
	}
	return parseInt32(text)
}

func parseInt32(text []byte) (int32, error) {
	value, err := parseSigned(text, 32)
	return int32(value), err
}

func readInt64(r *reader) (int64, error) {
	text, err := r.number()
	if err != nil {
		return 0, err
	}
	return parseInt64(text)
}

func parseInt64(text []byte) (int64, error) { return parseSigned(text, 64) }

func parseSigned(text []byte, bits int) (int64, error) {
	if value, err := strconv.ParseInt(string(text), 10, bits); err == nil {
		return value, nil
	}
	kind := "int" + strconv.Itoa(bits)
	integer, err := parseInteger(text, kind)
	if err != nil {
		return 0, err
	}
	value, err := strconv.ParseInt(integer.String(), 10, bits)
	if err != nil {
		return 0, outOfRange(kind)
	}
	return value, nil
}

func readUint32(r *reader) (uint32, error) {
	text, err := r.number()
	if err != nil {
		return 0, err
	}
	return parseUint32(text)
}

func parseUint32(text []byte) (uint32, error) {
	value, err := parseUnsigned(text, 32)
	return uint32(value), err
}

func readUint64(r *reader) (uint64, error) {
	text, err := r.number()
	if err != nil {
		return 0, err
	}
	return parseUint64(text)
}

func parseUint64(text []byte) (uint64, error) { return parseUnsigned(text, 64) }

func parseUnsigned(text []byte, bits int) (uint64, error) {
	if value, err := strconv.ParseUint(string(text), 10, bits); err == nil {
		return value, nil
	}
	kind := "uint" + strconv.Itoa(bits)
	integer, err := parseInteger(text, kind)
	if err != nil {
		return 0, err
	}
	value, err := strconv.ParseUint(integer.String(), 10, bits)
	if err != nil {
		return 0, outOfRange(kind)
	}
	return value, nil
}

// parseInteger parses an integer in any JSON notation: 10, 1e1, 10.0. kind names its type
// in errors.
func parseInteger(text []byte, kind string) (*big.Int, error) {
	// This is more than any valid integer, but small enough to expand exponents quickly.
	if approximate, err := strconv.ParseFloat(string(text), 64); err != nil || math.Abs(approximate) > 1e20 {
		return nil, outOfRange(kind)
	} else if approximate != math.Trunc(approximate) {
		return nil, problemf("not an integer")
	}
	const longest = 400
	value, ok := new(big.Rat), false
	if len(text) <= longest {
		value, ok = value.SetString(string(text))
	}
	if !ok || !value.IsInt() {
		return nil, problemf("not an integer")
	}
	return value.Num(), nil
}

func outOfRange(kind string) error { return problemf("out of range for %s", kind) }

func writeInt32(w *writer, value int32) error {
	w.int(int64(value))
	return nil
}

func writeInt64(w *writer, value int64) error {
	w.byte('"')
	w.int(value)
	w.byte('"')
	return nil
}

func writeUint32(w *writer, value uint32) error {
	w.uint(uint64(value))
	return nil
}

func writeUint64(w *writer, value uint64) error {
	w.byte('"')
	w.uint(value)
	w.byte('"')
	return nil
}
