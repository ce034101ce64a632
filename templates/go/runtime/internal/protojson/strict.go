package protojson

import (
	"fmt"
	"reflect"
)

// UnmarshalStrictly decodes a message as its UnmarshalJSON does, but refuses unknown fields. Those
// of JSON that a person has written are misspelled.
func UnmarshalStrictly[M any](data []byte, message *M) error {
	description, ok := described[reflect.TypeFor[M]()].(*Message[M])
	if !ok {
		panic(fmt.Sprintf("protojson: %T has no description", message))
	}
	return description.unmarshal(&reader{data: data, isStrict: true}, message)
}
