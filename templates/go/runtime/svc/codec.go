package svc

import (
	"encoding/json"
)

// Codec encodes and decodes one type of value as ProtoJSON.
type Codec[T any] struct {
	// name is the name of the type in error messages: a full proto name or a scalar
	// name.
	name string
	// message returns the name of a message type. It is resolved lazily because
	// message types can be recursive.
	message func() string
	read    func(*reader) (T, error)
	write   func(*writer, T) error
	// isDefault reports whether a field without presence omits the value.
	isDefault func(T) bool
	// initial returns the value of an absent field without presence, if it is not the
	// zero value.
	initial    T
	hasInitial bool
	// isNil reports whether a value means absent, for types that need no pointer.
	isNil func(T) bool
	// readsNull is true if null is a value rather than absence.
	readsNull bool
}

// Unmarshal decodes a value from JSON. Errors are of kind [ErrMessage].
func (c Codec[T]) Unmarshal(data []byte) (T, error) {
	var none T
	if !json.Valid(data) {
		var syntax json.RawMessage
		err := json.Unmarshal(data, &syntax)
		return none, messageError(c.title(), &problem{text: "not JSON: " + err.Error()})
	}
	value, err := c.read(&reader{data: data})
	if err != nil {
		return none, messageError(c.title(), err)
	}
	return value, nil
}

// Marshal encodes a value as JSON. Errors are of kind [ErrMessage].
func (c Codec[T]) Marshal(value T) ([]byte, error) {
	out := &writer{}
	if err := c.write(out, value); err != nil {
		return nil, messageError(c.title(), err)
	}
	return out.data, nil
}

func (c Codec[T]) title() string {
	if c.message != nil {
		return c.message()
	}
	return c.name
}

func never[T any](T) bool { return false }
