package protojson

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// reader reads JSON that is known to be valid. It does not validate the parts that it skips.
type reader struct {
	data     []byte
	position int
	// isStrict is true if unknown fields are errors.
	isStrict bool
}

// peek returns the first byte of the next token: one of `{}[]",:tfn-`, or a digit.
func (r *reader) peek() byte {
	for {
		switch char := r.data[r.position]; char {
		case ' ', '\t', '\r', '\n':
			r.position++
		default:
			return char
		}
	}
}

// take consumes the next token if it is mark.
func (r *reader) take(mark byte) bool {
	if r.peek() != mark {
		return false
	}
	r.position++
	return true
}

// takeNull consumes the next value if it is null.
func (r *reader) takeNull() bool {
	if r.peek() != 'n' {
		return false
	}
	r.position += len("null")
	return true
}

// describe describes the next value for an error message.
func (r *reader) describe() string {
	switch r.peek() {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// raw consumes the next value and returns its text.
func (r *reader) raw() []byte {
	first := r.peek()
	start := r.position
	switch first {
	case '"':
		r.skipString()
	case '{', '[':
		r.skipNested()
	default:
		for r.position < len(r.data) && !isEnd(r.data[r.position]) {
			r.position++
		}
	}
	return r.data[start:r.position]
}

func isEnd(char byte) bool {
	switch char {
	case ' ', '\t', '\r', '\n', ',', ']', '}':
		return true
	}
	return false
}

func (r *reader) skipNested() {
	for depth := 0; ; {
		switch r.data[r.position] {
		case '"':
			r.skipString()
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		r.position++
		if depth == 0 {
			return
		}
	}
}

// skipString consumes a string. It reports whether the string contains escapes.
func (r *reader) skipString() bool {
	hasEscape := false
	for r.position++; ; r.position++ {
		switch r.data[r.position] {
		case '\\':
			hasEscape = true
			r.position++
		case '"':
			r.position++
			return hasEscape
		}
	}
}

// text consumes a string. The result can alias the input.
func (r *reader) text() ([]byte, error) {
	start := r.position
	hasEscape := r.skipString()
	quoted := r.data[start:r.position]
	inside := quoted[1 : len(quoted)-1]
	if !utf8.Valid(inside) || hasEscape && holdsHalfPair(inside) {
		return nil, problemf("not valid Unicode")
	}
	if !hasEscape {
		return inside, nil
	}
	var text string
	if err := json.Unmarshal(quoted, &text); err != nil {
		return nil, err
	}
	return []byte(text), nil
}

// holdsHalfPair reports whether a string contains an unpaired surrogate, which encoding/json
// would silently replace.
func holdsHalfPair(inside []byte) bool {
	for i := 0; i < len(inside); i++ {
		if inside[i] != '\\' {
			continue
		}
		i++
		if inside[i] != 'u' {
			continue
		}
		unit := codeUnit(inside[i+1:])
		i += 4
		if !utf16.IsSurrogate(unit) {
			continue
		}
		rest := inside[i+1:]
		if !bytes.HasPrefix(rest, []byte(`\u`)) || utf16.DecodeRune(unit, codeUnit(rest[2:])) == utf8.RuneError {
			return true
		}
		i += 6
	}
	return false
}

// codeUnit parses the four digits of a valid escape.
func codeUnit(digits []byte) rune {
	unit, _ := strconv.ParseUint(string(digits[:4]), 16, 16)
	return rune(unit)
}

// object consumes an object. It calls visit for each value, which visit must consume.
func (r *reader) object(visit func(key []byte) error) error {
	if !r.take('{') {
		return problemf("expected an object, got %s", r.describe())
	}
	if r.take('}') {
		return nil
	}
	for {
		r.peek()
		key, err := r.text()
		if err != nil {
			return err
		}
		r.take(':')
		if err := visit(key); err != nil {
			return err
		}
		if !r.take(',') {
			r.take('}')
			return nil
		}
	}
}

// list consumes a list. It calls visit for each item, which visit must consume.
func (r *reader) list(visit func() error) error {
	if !r.take('[') {
		return problemf("expected a list, got %s", r.describe())
	}
	if r.take(']') {
		return nil
	}
	for index := 0; ; index++ {
		if err := visit(); err != nil {
			return beneathIndex(index, err)
		}
		if !r.take(',') {
			r.take(']')
			return nil
		}
	}
}

// number consumes a number and returns its text. ProtoJSON also allows numbers in
// strings.
func (r *reader) number() ([]byte, error) {
	switch char := r.peek(); {
	case char == '-' || '0' <= char && char <= '9':
		return r.raw(), nil
	case char == '"':
		text, err := r.text()
		if err != nil {
			return nil, err
		}
		if !isNumber(text) {
			return nil, problemf("expected a number, got %q", text)
		}
		return text, nil
	}
	return nil, problemf("expected a number, got %s", r.describe())
}

// isNumber reports whether a string is a JSON number.
func isNumber(text []byte) bool {
	if len(text) == 0 || isEnd(text[len(text)-1]) {
		return false
	}
	return (text[0] == '-' || '0' <= text[0] && text[0] <= '9') && json.Valid(text)
}
