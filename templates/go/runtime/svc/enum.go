package svc

import "strconv"

// Enum describes an enum: its names and numbers. Unknown values survive a round trip.
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
	if number, known := e.numbers[value]; known {
		return number, true
	}
	number, err := strconv.ParseInt(value, 10, 32)
	return int32(number), err == nil
}

// EnumCodec is the codec of an enum whose values are strings: a name, or the digits
// of a number without a known name. The empty string is the default value.
func EnumCodec[E ~string](enum *Enum) Codec[E] {
	return Codec[E]{
		name: enum.name,
		read: func(r *reader) (E, error) {
			value, err := enum.read(r)
			return E(value), err
		},
		write:      func(w *writer, value E) error { return enum.write(w, string(value)) },
		isDefault:  func(value E) bool { return value == "" || string(value) == enum.first },
		initial:    E(enum.first),
		hasInitial: true,
	}
}

func (e *Enum) read(r *reader) (string, error) {
	if r.peek() == '"' {
		text, err := r.text()
		if err != nil {
			return "", err
		}
		name := string(text)
		if name == "" {
			return "", problemf("expected a name or number, got an empty string")
		}
		if number, known := e.numbers[name]; known {
			return e.names[number], nil
		}
		return name, nil
	}
	if char := r.peek(); char != '-' && (char < '0' || char > '9') {
		return "", problemf("expected a name or number, got %s", r.describe())
	}
	number, err := parseInt32(r.raw())
	if err != nil {
		return "", problemf("an enum number must be a 32-bit integer")
	}
	if name, known := e.names[number]; known {
		return name, nil
	}
	return strconv.FormatInt(int64(number), 10), nil
}

func (e *Enum) write(w *writer, value string) error {
	if value == "" {
		value = e.first
	}
	if number, known := e.numbers[value]; known {
		value = e.names[number]
	} else if number, err := strconv.ParseInt(value, 10, 32); err == nil {
		if name, known := e.names[int32(number)]; known {
			return w.text(name)
		}
		w.int(number)
		return nil
	}
	return w.text(value)
}
