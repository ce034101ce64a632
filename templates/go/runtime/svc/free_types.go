package svc

// NullValue is the type of JSON null (google.protobuf.NullValue). In a field of type
// google.protobuf.Value, it is null, whereas nil means absent.
type NullValue struct{}

// MarshalJSON encodes null.
func (NullValue) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

// String returns "null".
func (NullValue) String() string { return "null" }

// Empty is a message without fields (google.protobuf.Empty).
type Empty struct{}

// Any is the JSON of a message of any type (google.protobuf.Any), with its type URL
// in "@type". Nil means absent.
type Any map[string]any
