package protojson

import (
	"math"
	"strconv"
)

// Codecs of floating-point numbers: JSON numbers or the strings NaN, Infinity and
// -Infinity.
var (
	DoubleCodec = floatCodec[float64]("double", 64)
	FloatCodec  = floatCodec[float32]("float", 32)
)

func floatCodec[F float32 | float64](name string, bits int) Codec[F] {
	return Codec[F]{
		name: name,
		read: func(r *reader) (F, error) {
			value, err := readFloat(r, bits)
			return F(value), err
		},
		write: func(w *writer, value F) error {
			writeFloat(w, float64(value), bits)
			return nil
		},
		// Negative zero is not the default value.
		isDefault: func(value F) bool { return value == 0 && !math.Signbit(float64(value)) },
	}
}

func readFloat(r *reader, bits int) (float64, error) {
	if r.peek() == '"' {
		start := r.position
		text, err := r.text()
		if err != nil {
			return 0, err
		}
		switch string(text) {
		case "NaN":
			return math.NaN(), nil
		case "Infinity":
			return math.Inf(1), nil
		case "-Infinity":
			return math.Inf(-1), nil
		}
		r.position = start
	}
	text, err := r.number()
	if err != nil {
		return 0, err
	}
	value, err := strconv.ParseFloat(string(text), bits)
	if err != nil {
		return 0, problemf("out of range for %d bits", bits)
	}
	return value, nil
}

func writeFloat(w *writer, value float64, bits int) {
	switch {
	case math.IsNaN(value):
		w.quoted("NaN")
	case math.IsInf(value, 1):
		w.quoted("Infinity")
	case math.IsInf(value, -1):
		w.quoted("-Infinity")
	default:
		// The shortest digits that round-trip, in JavaScript notation.
		format := byte('f')
		if size := math.Abs(value); size != 0 && (size < 1e-6 || size >= 1e21) {
			format = 'e'
		}
		w.data = strconv.AppendFloat(w.data, value, format, -1, bits)
	}
}
