package protojson

import (
	"reflect"
	"slices"
)

// Message describes a message type.
type Message[M any] struct {
	name   string
	fields []Field[M]
	// byName maps JSON and proto names to fields.
	byName map[string]int
	// oneofs is the number of oneofs. Fields refer to them by index.
	oneofs int
}

// NewMessage returns the description of a message type without fields.
func NewMessage[M any](name string) *Message[M] {
	message := &Message[M]{name: name}
	described[reflect.TypeFor[M]()] = message
	described[reflect.TypeFor[*M]()] = message.Codec()
	return message
}

// Define sets the fields, in declaration order. It is separate from [NewMessage] because
// message types can refer to each other.
func (m *Message[M]) Define(fields ...Field[M]) {
	m.fields = fields
	m.byName = make(map[string]int, len(fields))
	var oneofs []string
	for i := range fields {
		field := &fields[i]
		if field.oneof != "" {
			field.oneofIndex = slices.Index(oneofs, field.oneof)
			if field.oneofIndex < 0 {
				field.oneofIndex = len(oneofs)
				oneofs = append(oneofs, field.oneof)
			}
		}
		field.key = append(AppendString(nil, field.jsonName), ':')
	}
	m.oneofs = len(oneofs)
	// JSON names take precedence over proto names of other fields.
	for i, field := range fields {
		m.byName[field.protoName] = i
	}
	for i, field := range fields {
		m.byName[field.jsonName] = i
	}
}

// Marshal encodes a message as canonical ProtoJSON. Errors are of kind svc.ErrMessage.
func (m *Message[M]) Marshal(message *M) ([]byte, error) {
	return m.Codec().Marshal(message)
}

// Unmarshal decodes a message from ProtoJSON. Unknown fields are ignored. Errors are
// of kind svc.ErrMessage. The message is unchanged on errors and, as in encoding/json,
// for null.
func (m *Message[M]) Unmarshal(data []byte, message *M) error {
	return m.unmarshal(&reader{data: data}, message)
}

func (m *Message[M]) unmarshal(r *reader, message *M) error {
	if string(r.data) == "null" {
		return nil
	}
	value, err := m.Codec().unmarshal(r)
	if err == nil {
		*message = *value
	}
	return err
}

// Text returns a message as ProtoJSON for display, or the error if it cannot be
// encoded.
func (m *Message[M]) Text(message *M) string {
	if message == nil {
		return "<nil>"
	}
	data, err := m.Marshal(message)
	if err != nil {
		return "<" + Text(err) + ">"
	}
	return string(data)
}

// Codec returns the codec of the message type.
func (m *Message[M]) Codec() Codec[*M] {
	return Codec[*M]{
		name:      m.name,
		read:      m.read,
		write:     m.write,
		isDefault: func(value *M) bool { return value == nil },
		isNil:     func(value *M) bool { return value == nil },
	}
}

func (m *Message[M]) read(r *reader) (*M, error) {
	message := new(M)
	// The field set in each oneof. Most messages have no oneofs.
	var chosen []int
	if m.oneofs > 0 {
		chosen = make([]int, m.oneofs)
	}
	given := make([]bool, len(m.fields))
	err := r.object(func(key []byte) error {
		index, known := m.byName[string(key)]
		if !known && r.isStrict {
			return problemf("unknown field %q", key)
		}
		if !known {
			r.raw()
			return nil
		}
		field := &m.fields[index]
		// The field is given by its JSON name, its proto name, or both.
		if given[index] {
			return beneath(field.jsonName, errGivenTwice)
		}
		given[index] = true
		if !field.readsNull && r.takeNull() {
			return nil
		}
		if field.oneof != "" {
			if before := chosen[field.oneofIndex]; before != 0 && before != index+1 {
				return beneath(field.jsonName, problemf("more than one field of %s is set", field.oneof))
			}
			chosen[field.oneofIndex] = index + 1
		}
		if err := field.read(r, message); err != nil {
			return beneath(field.jsonName, err)
		}
		return nil
	})
	return message, err
}

func (m *Message[M]) write(w *writer, message *M) error {
	if message == nil {
		return problemf("expected a message, got nil")
	}
	if w.depth++; w.depth > deepest {
		return problemf("nested too deeply")
	}
	chosen := make([]bool, m.oneofs)
	w.byte('{')
	isFirst := true
	for i := range m.fields {
		field := &m.fields[i]
		if field.isAbsent(message) {
			continue
		}
		if field.oneof != "" {
			if chosen[field.oneofIndex] {
				return beneath(field.jsonName, problemf("more than one field of %s is set", field.oneof))
			}
			chosen[field.oneofIndex] = true
		}
		if !isFirst {
			w.byte(',')
		}
		isFirst = false
		w.data = append(w.data, field.key...)
		if err := field.write(w, message); err != nil {
			return beneath(field.jsonName, err)
		}
	}
	w.byte('}')
	w.depth--
	return nil
}
