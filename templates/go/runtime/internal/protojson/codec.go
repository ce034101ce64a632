// Package protojson encodes and decodes messages as ProtoJSON.
package protojson

import "encoding/json"

// Codec encodes and decodes one type of value as ProtoJSON.
type Codec[T any] struct {
	// name is the name of the type in error messages: a full proto name or a scalar
	// name.
	name  string
	read  func(*reader) (T, error)
	write func(*writer, T) error
	// isDefault reports whether a field without presence omits the value.
	isDefault func(T) bool
	// isNil reports whether a value means absent, for types that need no pointer.
	isNil func(T) bool
	// readsNull is true if null is a value rather than absence.
	readsNull bool
	// readsNullInOneof is true if null sets a field of a oneof.
	readsNullInOneof bool
}

// Unmarshal decodes a value from JSON. Errors are of kind svc.ErrMessage.
func (c Codec[T]) Unmarshal(data []byte) (T, error) {
	return c.unmarshal(&reader{data: data})
}

func (c Codec[T]) unmarshal(r *reader) (T, error) {
	var none T
	if !json.Valid(r.data) {
		var syntax json.RawMessage
		err := json.Unmarshal(r.data, &syntax)
		return none, messageError(c.name, &problem{text: "not JSON: " + err.Error()})
	}
	value, err := c.read(r)
	if err != nil {
		return none, messageError(c.name, err)
	}
	return value, nil
}

// Marshal encodes a value as JSON. Errors are of kind svc.ErrMessage.
func (c Codec[T]) Marshal(value T) ([]byte, error) {
	out := &writer{}
	if err := c.write(out, value); err != nil {
		return nil, messageError(c.name, err)
	}
	return out.data, nil
}

func never[T any](T) bool { return false }
