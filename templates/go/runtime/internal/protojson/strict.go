package protojson

import (
	"fmt"
	"reflect"
	"time"

	"svc.runtime/internal/config"
	"svc.runtime/svc"
)

// converter decodes and encodes the value behind a pointer of one type.
type converter interface {
	decodeStrictly(data []byte, target any) error
	encode(value any) ([]byte, error)
}

// described maps the types of all inputs and outputs to their converters. It is complete at
// program start.
var described = map[reflect.Type]converter{
	reflect.TypeFor[any]():            ItemCodec,
	reflect.TypeFor[bool]():           BoolCodec,
	reflect.TypeFor[float32]():        FloatCodec,
	reflect.TypeFor[float64]():        DoubleCodec,
	reflect.TypeFor[int32]():          Int32Codec,
	reflect.TypeFor[int64]():          Int64Codec,
	reflect.TypeFor[map[string]any](): StructCodec,
	reflect.TypeFor[string]():         StringCodec,
	reflect.TypeFor[svc.Any]():        AnyCodec,
	reflect.TypeFor[svc.Duration]():   DurationCodec,
	reflect.TypeFor[svc.FieldMask]():  FieldMaskCodec,
	reflect.TypeFor[svc.NullValue]():  NullCodec,
	reflect.TypeFor[time.Time]():      TimestampCodec,
	reflect.TypeFor[uint32]():         Uint32Codec,
	reflect.TypeFor[uint64]():         Uint64Codec,
	reflect.TypeFor[[]any]():          ListValueCodec,
	reflect.TypeFor[[]byte]():         BytesCodec,
}

func init() { config.ProtoJSON = publicConverter{} }

// publicConverter is the converter of svc.UnmarshalStrict and svc.Marshal.
type publicConverter struct{}

func (publicConverter) UnmarshalStrict(data []byte, target any) error {
	converter, err := converterOf(target)
	if err != nil {
		return err
	}
	return converter.decodeStrictly(data, target)
}

func (publicConverter) Marshal(value any) ([]byte, error) {
	converter, err := converterOf(value)
	if err != nil {
		return nil, err
	}
	return converter.encode(value)
}

func converterOf(pointer any) (converter, error) {
	kind := reflect.TypeOf(pointer).Elem()
	if converter, ok := described[kind]; ok {
		return converter, nil
	}
	return nil, &svc.APIError{Kind: svc.ErrMessage, Message: fmt.Sprintf("%v is not the type of an input or output", kind)}
}

func (m *Message[M]) decodeStrictly(data []byte, target any) error {
	return m.unmarshal(&reader{data: data, isStrict: true}, target.(*M))
}

func (m *Message[M]) encode(value any) ([]byte, error) { return m.Marshal(value.(*M)) }

func (c Codec[T]) decodeStrictly(data []byte, target any) error {
	value, err := c.unmarshal(&reader{data: data, isStrict: true})
	if err == nil {
		*target.(*T) = value
	}
	return err
}

func (c Codec[T]) encode(value any) ([]byte, error) { return c.Marshal(*value.(*T)) }
