package protojson

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// deepest is the maximum nesting depth, as in encoding/json. It also stops cyclic
// messages.
const deepest = 10_000

// writer builds JSON.
type writer struct {
	data  []byte
	depth int
}

func (w *writer) byte(char byte) { w.data = append(w.data, char) }

func (w *writer) raw(text string) { w.data = append(w.data, text...) }

func (w *writer) text(text string) error {
	if !utf8.ValidString(text) {
		return problemf("not valid UTF-8")
	}
	w.data = AppendString(w.data, text)
	return nil
}

func (w *writer) quoted(text string) {
	w.byte('"')
	w.raw(text)
	w.byte('"')
}

func (w *writer) int(value int64) { w.data = strconv.AppendInt(w.data, value, 10) }

func (w *writer) uint(value uint64) { w.data = strconv.AppendUint(w.data, value, 10) }

// value encodes any value with encoding/json, without HTML escaping.
func (w *writer) value(value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return &problem{text: "not a JSON value: " + Text(err), cause: err}
	}
	// The encoder appends a newline.
	w.data = w.data[:len(w.data)-1]
	return nil
}

// Write implements [io.Writer] for encoding/json.
func (w *writer) Write(data []byte) (int, error) {
	w.data = append(w.data, data...)
	return len(data), nil
}

// AppendString appends a JSON string with minimal escaping.
func AppendString(data []byte, text string) []byte {
	const hex = "0123456789abcdef"
	data = append(data, '"')
	start := 0
	for i := range len(text) {
		char := text[i]
		if char >= ' ' && char != '"' && char != '\\' {
			continue
		}
		data = append(data, text[start:i]...)
		start = i + 1
		switch char {
		case '"', '\\':
			data = append(data, '\\', char)
		case '\n':
			data = append(data, '\\', 'n')
		case '\r':
			data = append(data, '\\', 'r')
		case '\t':
			data = append(data, '\\', 't')
		default:
			data = append(data, '\\', 'u', '0', '0', hex[char>>4], hex[char&15])
		}
	}
	return append(append(data, text[start:]...), '"')
}
