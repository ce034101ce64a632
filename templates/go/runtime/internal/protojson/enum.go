package protojson

import "strconv"

// Enum describes an enum: its names and numbers. A value is a string: a name, the
// digits of a number without a known name, or empty for the default value. Unknown
// values survive a round trip.
type Enum struct {
	name string
	// first is the name of the default value: the value with number 0, or the first
	// value.
	first   string
	numbers map[string]int32
	// names maps each number to its first name.
	names map[int32]string
}

// EnumValue is a value of an enum.
type EnumValue struct {
	name   string
	number int32
}

// NewEnumValue returns a value of an enum.
func NewEnumValue(name string, number int32) EnumValue {
	return EnumValue{name: name, number: number}
}

// NewEnum returns the description of an enum. values are in declaration order; the
// first name of a number is canonical.
func NewEnum(name string, values ...EnumValue) *Enum {
	enum := &Enum{
		name:    name,
		numbers: make(map[string]int32, len(values)),
		names:   make(map[int32]string, len(values)),
	}
	for _, value := range values {
		enum.numbers[value.name] = value.number
		if _, known := enum.names[value.number]; !known {
			enum.names[value.number] = value.name
		}
	}
	if first, known := enum.names[0]; known {
		enum.first = first
	} else if len(values) > 0 {
		enum.first = values[0].name
	}
	return enum
}

// Number returns the number of a value. It reports false if the name is unknown.
func (e *Enum) Number(value string) (int32, bool) {
	if number, known := e.numbers[e.Text(value)]; known {
		return number, true
	}
	number, err := strconv.ParseInt(value, 10, 32)
	return int32(number), err == nil
}

// Text returns the name of a value, or its digits.
func (e *Enum) Text(value string) string {
	if value == "" {
		return e.first
	}
	return value
}

// EnumCodec is the codec of an enum.
func EnumCodec[E ~string](enum *Enum) Codec[E] {
	return Codec[E]{
		name: enum.name,
		read: func(r *reader) (E, error) {
			value, err := enum.read(r)
			return E(value), err
		},
		write:     func(w *writer, value E) error { return enum.write(w, string(value)) },
		isDefault: func(value E) bool { return enum.value(string(value)) == "" },
	}
}

// MarshalEnum encodes a value as ProtoJSON. Errors are of kind svc.ErrMessage.
func MarshalEnum[E ~string](enum *Enum, value E) ([]byte, error) {
	return EnumCodec[E](enum).Marshal(value)
}

// UnmarshalEnum decodes a value from ProtoJSON. Errors are of kind svc.ErrMessage. The
// value is unchanged on errors and, as in encoding/json, for null.
func UnmarshalEnum[E ~string](enum *Enum, data []byte, value *E) error {
	if string(data) == "null" {
		return nil
	}
	read, err := EnumCodec[E](enum).Unmarshal(data)
	if err == nil {
		*value = read
	}
	return err
}

// value returns the enum value for a name or for the digits of a number. It is empty for the
// default value, and the first name of the number for an alias.
func (e *Enum) value(name string) string {
	number, known := e.numbers[name]
	if digits, err := strconv.ParseInt(name, 10, 32); !known && err == nil {
		number = int32(digits)
		_, known = e.names[number]
	}
	if !known {
		return name
	}
	if canonical := e.names[number]; canonical != e.first {
		return canonical
	}
	return ""
}

func (e *Enum) read(r *reader) (string, error) {
	if r.peek() == '"' {
		text, err := r.text()
		if err != nil {
			return "", err
		}
		if len(text) == 0 {
			return "", problemf("expected a name or number, got an empty string")
		}
		return e.value(string(text)), nil
	}
	if char := r.peek(); char != '-' && (char < '0' || char > '9') {
		return "", problemf("expected a name or number, got %s", r.describe())
	}
	number, err := parseInt32(r.raw())
	if err != nil {
		return "", problemf("an enum number must be a 32-bit integer")
	}
	if name, known := e.names[number]; known {
		return e.value(name), nil
	}
	return strconv.FormatInt(int64(number), 10), nil
}

func (e *Enum) write(w *writer, value string) error {
	value = e.Text(e.value(value))
	if _, known := e.numbers[value]; known {
		return w.text(value)
	}
	number, err := strconv.ParseInt(value, 10, 32)
	if err != nil {
		return w.text(value)
	}
	w.int(number)
	return nil
}
