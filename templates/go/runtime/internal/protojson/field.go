package protojson

import (
	"maps"
	"slices"
)

// Field describes a field of the message M: its names, its codec and its location in the
// struct.
type Field[M any] struct {
	jsonName   string
	protoName  string
	oneof      string
	oneofIndex int
	// key is the JSON name as a JSON string, followed by a colon.
	key       []byte
	readsNull bool
	// readsNullInOneof is true if null sets the field if it belongs to a oneof.
	readsNullInOneof bool
	read             func(*reader, *M) error
	write            func(*writer, *M) error
	isAbsent         func(*M) bool
}

// Single returns a field without presence. Its default value is omitted.
func Single[M, T any](jsonName, protoName string, codec Codec[T], at func(*M) *T) Field[M] {
	return Field[M]{
		jsonName:  jsonName,
		protoName: protoName,
		readsNull: codec.readsNull,
		isAbsent:  func(m *M) bool { return codec.isDefault(*at(m)) },
		write:     func(w *writer, m *M) error { return codec.write(w, *at(m)) },
		read: func(r *reader, m *M) (err error) {
			*at(m), err = codec.read(r)
			return err
		},
	}
}

// Optional returns a field with presence. Nil means absent.
func Optional[M, T any](jsonName, protoName string, codec Codec[T], at func(*M) **T) Field[M] {
	return Field[M]{
		jsonName:         jsonName,
		protoName:        protoName,
		readsNull:        codec.readsNull,
		isAbsent:         func(m *M) bool { return *at(m) == nil },
		readsNullInOneof: codec.readsNullInOneof,
		write:            func(w *writer, m *M) error { return codec.write(w, **at(m)) },
		read: func(r *reader, m *M) error {
			value, err := codec.read(r)
			*at(m) = &value
			return err
		},
	}
}

// Nilable returns a field with presence of a type that can be nil, such as a message,
// slice or map.
func Nilable[M, T any](jsonName, protoName string, codec Codec[T], at func(*M) *T) Field[M] {
	return Field[M]{
		jsonName:  jsonName,
		protoName: protoName,
		readsNull: codec.readsNull,
		isAbsent:  func(m *M) bool { return codec.isNil(*at(m)) },
		write:     func(w *writer, m *M) error { return codec.write(w, *at(m)) },
		read: func(r *reader, m *M) (err error) {
			*at(m), err = codec.read(r)
			return err
		},
	}
}

// Repeated returns a repeated field.
func Repeated[M, T any](jsonName, protoName string, codec Codec[T], at func(*M) *[]T) Field[M] {
	return Field[M]{
		jsonName:  jsonName,
		protoName: protoName,
		isAbsent:  func(m *M) bool { return len(*at(m)) == 0 },
		write: func(w *writer, m *M) error {
			w.byte('[')
			for i, item := range *at(m) {
				if i > 0 {
					w.byte(',')
				}
				if err := codec.write(w, item); err != nil {
					return beneathIndex(i, err)
				}
			}
			w.byte(']')
			return nil
		},
		read: func(r *reader, m *M) error {
			var items []T
			err := r.list(func() error {
				item, err := codec.read(r)
				items = append(items, item)
				return err
			})
			*at(m) = items
			return err
		},
	}
}

// Map returns a map field. Its entries are encoded in key order.
func Map[M any, K comparable, T any](jsonName, protoName string, keys KeyCodec[K], codec Codec[T], at func(*M) *map[K]T) Field[M] {
	return Field[M]{
		jsonName:  jsonName,
		protoName: protoName,
		isAbsent:  func(m *M) bool { return len(*at(m)) == 0 },
		write: func(w *writer, m *M) error {
			entries := *at(m)
			w.byte('{')
			for i, key := range slices.SortedFunc(maps.Keys(entries), keys.compare) {
				if i > 0 {
					w.byte(',')
				}
				start := len(w.data)
				if err := keys.write(w, key); err != nil {
					return err
				}
				name := string(w.data[start:])
				w.byte(':')
				if err := codec.write(w, entries[key]); err != nil {
					return beneath(name, err)
				}
			}
			w.byte('}')
			return nil
		},
		read: func(r *reader, m *M) error {
			entries := make(map[K]T)
			*at(m) = entries
			return r.object(func(text []byte) error {
				key, err := keys.read(text)
				if err != nil {
					return err
				}
				if _, isGiven := entries[key]; isGiven {
					return beneath(string(text), errGivenTwice)
				}
				if entries[key], err = codec.read(r); err != nil {
					return beneath(string(text), err)
				}
				return nil
			})
		},
	}
}

// InOneof adds a field with presence to a oneof. At most one of its fields is set.
func InOneof[M any](oneof string, field Field[M]) Field[M] {
	field.oneof = oneof
	field.readsNull = field.readsNull || field.readsNullInOneof
	return field
}
