package svc

import "slices"

// Message describes a message to the codec: its fields in the order of the proto.
type Message[M any] struct {
	name   string
	fields []Field[M]
	// byName finds fields by JSON name and by proto name.
	byName map[string]int
	// oneofs counts the oneofs; fields refer to them by number.
	oneofs int
	// hasInitial marks messages with a field whose absence is not Go's zero value.
	hasInitial bool
}

// NewMessage describes a message by its full name and its fields.
func NewMessage[M any](name string, fields ...Field[M]) *Message[M] {
	message := &Message[M]{name: name, fields: fields, byName: make(map[string]int, len(fields))}
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
		field.key = append(appendString(nil, field.jsonName), ':')
		message.hasInitial = message.hasInitial || field.initialize != nil
	}
	message.oneofs = len(oneofs)
	// JSON names go first where the proto name of another field is the same.
	for i, field := range fields {
		message.byName[field.protoName] = i
	}
	for i, field := range fields {
		message.byName[field.jsonName] = i
	}
	return message
}

// Marshal writes a message as canonical ProtoJSON. It fails with [ErrMessage].
func (m *Message[M]) Marshal(message *M) ([]byte, error) {
	return m.codec().Marshal(message)
}

// Unmarshal reads a message from ProtoJSON. Fields that are not declared are
// ignored. It fails with [ErrMessage], and leaves the message as it was then; so it
// does for null, as encoding/json has it.
func (m *Message[M]) Unmarshal(data []byte, message *M) error {
	if string(data) == "null" {
		return nil
	}
	value, err := m.codec().Unmarshal(data)
	if err == nil {
		*message = *value
	}
	return err
}

// Text gives a message as ProtoJSON for people: what cannot be written is told.
func (m *Message[M]) Text(message *M) string {
	data, err := m.Marshal(message)
	if err != nil {
		return "<" + err.Error() + ">"
	}
	return string(data)
}

func (m *Message[M]) codec() Codec[*M] {
	return Codec[*M]{
		name:      m.name,
		read:      m.read,
		write:     m.write,
		isDefault: func(value *M) bool { return value == nil },
		isNil:     func(value *M) bool { return value == nil },
	}
}

// described is a pointer to a message that describes itself.
type described[M any] interface {
	*M
	ProtoMessage() *Message[M]
}

// MessageCodec reads and writes a generated message type. Messages may hold each
// other, so a description is looked up when it is needed.
func MessageCodec[M any, P described[M]]() Codec[*M] {
	return Codec[*M]{
		read:      func(r *reader) (*M, error) { return P(nil).ProtoMessage().read(r) },
		write:     func(w *writer, value *M) error { return P(nil).ProtoMessage().write(w, value) },
		isDefault: func(value *M) bool { return value == nil },
		isNil:     func(value *M) bool { return value == nil },
		message:   func() string { return P(nil).ProtoMessage().name },
	}
}

func (m *Message[M]) read(r *reader) (*M, error) {
	message := new(M)
	if m.hasInitial {
		for i := range m.fields {
			if initialize := m.fields[i].initialize; initialize != nil {
				initialize(message)
			}
		}
	}
	// Which case of a oneof was set, by oneof; most messages have none.
	var chosen []int
	if m.oneofs > 0 {
		chosen = make([]int, m.oneofs)
	}
	err := r.object(func(key []byte) error {
		index, known := m.byName[string(key)]
		if !known {
			r.raw()
			return nil
		}
		field := &m.fields[index]
		if !field.readsNull && r.takeNull() {
			return nil
		}
		if field.oneof != "" {
			if before := chosen[field.oneofIndex]; before != 0 && before != index+1 {
				return beneath(field.jsonName, problemf("the oneof %s has more than one case", field.oneof))
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
				return beneath(field.jsonName, problemf("the oneof %s has more than one case", field.oneof))
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
