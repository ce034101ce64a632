package svc

import (
	"encoding/json"
)

// Codec reads one kind of value from ProtoJSON and writes it.
type Codec[T any] struct {
	// name is what a caller knows the kind as: a full proto name, or that of a scalar.
	name string
	// message gives the name of a message type, which is not known yet when the codecs
	// of others are made.
	message func() string
	read    func(*reader) (T, error)
	write   func(*writer, T) error
	// isDefault tells the value that a field without presence leaves out.
	isDefault func(T) bool
	// initial is what an absent field without presence holds, where that is not Go's
	// zero value.
	initial    T
	hasInitial bool
	// isNil tells a value that means absence, for kinds that need no pointer to it.
	isNil func(T) bool
	// readsNull marks the kinds that take null for a value instead of absence.
	readsNull bool
}

// Unmarshal reads a value from its JSON. It fails with [ErrMessage].
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

// Marshal writes a value as its JSON. It fails with [ErrMessage].
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
