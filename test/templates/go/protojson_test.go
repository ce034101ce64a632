package protojson

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"svc.runtime/svc"
)

// tree is a message as generated ones are: one field of each kind.
type tree struct {
	Text    string
	Count   int64
	Big     uint64
	Small   int32
	Size    uint32
	Ratio   float64
	Single  float32
	Flag    bool
	Data    []byte
	Color   color
	Note    *string
	Maybe   *color
	Child   *tree
	Items   []*tree
	Numbers []int64
	Values  []any
	ByName  map[string]*tree
	ByCount map[int64]string
	ByFlag  map[bool]int32
	Left    *string
	Right   []byte
	Nothing *svc.NullValue
	Any     any
	Object  map[string]any
	List    []any
	Mask    svc.FieldMask
	Empty   *svc.Empty
	Packed  svc.Any
	At      *time.Time
	Span    *svc.Duration
	Wrapped *int64
}

type color string

var enumColor = NewEnum("test.Color", NewEnumValue("COLOR_NONE", 0), NewEnumValue("RED", 1), NewEnumValue("CRIMSON", 1))

var messageTree = NewMessage[tree]("test.Tree")

func init() {
	messageTree.Define(
		Single("text", "text", StringCodec, func(m *tree) *string { return &m.Text }),
		Single("count", "count", Int64Codec, func(m *tree) *int64 { return &m.Count }),
		Single("big", "big", Uint64Codec, func(m *tree) *uint64 { return &m.Big }),
		Single("small", "small", Int32Codec, func(m *tree) *int32 { return &m.Small }),
		Single("size", "size", Uint32Codec, func(m *tree) *uint32 { return &m.Size }),
		Single("ratio", "ratio", DoubleCodec, func(m *tree) *float64 { return &m.Ratio }),
		Single("single", "single", FloatCodec, func(m *tree) *float32 { return &m.Single }),
		Single("flag", "flag", BoolCodec, func(m *tree) *bool { return &m.Flag }),
		Single("data", "data", BytesCodec, func(m *tree) *[]byte { return &m.Data }),
		Single("color", "color", EnumCodec[color](enumColor), func(m *tree) *color { return &m.Color }),
		Optional("note", "the_note", StringCodec, func(m *tree) **string { return &m.Note }),
		Optional("maybe", "maybe", EnumCodec[color](enumColor), func(m *tree) **color { return &m.Maybe }),
		Nilable("child", "child", messageTree.Codec(), func(m *tree) **tree { return &m.Child }),
		Repeated("items", "items", messageTree.Codec(), func(m *tree) *[]*tree { return &m.Items }),
		Repeated("numbers", "numbers", Int64Codec, func(m *tree) *[]int64 { return &m.Numbers }),
		Repeated("values", "values", ItemCodec, func(m *tree) *[]any { return &m.Values }),
		Map("byName", "by_name", StringKey, messageTree.Codec(), func(m *tree) *map[string]*tree { return &m.ByName }),
		Map("byCount", "by_count", Int64Key, StringCodec, func(m *tree) *map[int64]string { return &m.ByCount }),
		Map("byFlag", "by_flag", BoolKey, Int32Codec, func(m *tree) *map[bool]int32 { return &m.ByFlag }),
		InOneof("side", Optional("left", "left", StringCodec, func(m *tree) **string { return &m.Left })),
		InOneof("side", Nilable("right", "right", BytesCodec, func(m *tree) *[]byte { return &m.Right })),
		InOneof("side", Optional("nothing", "nothing", NullCodec, func(m *tree) **svc.NullValue { return &m.Nothing })),
		Nilable("any", "any", ValueCodec, func(m *tree) *any { return &m.Any }),
		Nilable("object", "object", StructCodec, func(m *tree) *map[string]any { return &m.Object }),
		Nilable("list", "list", ListValueCodec, func(m *tree) *[]any { return &m.List }),
		Nilable("mask", "mask", FieldMaskCodec, func(m *tree) *svc.FieldMask { return &m.Mask }),
		Nilable("empty", "empty", EmptyCodec, func(m *tree) **svc.Empty { return &m.Empty }),
		Nilable("packed", "packed", AnyCodec, func(m *tree) *svc.Any { return &m.Packed }),
		Optional("at", "at", TimestampCodec, func(m *tree) **time.Time { return &m.At }),
		Optional("span", "span", DurationCodec, func(m *tree) **svc.Duration { return &m.Span }),
		Optional("wrapped", "wrapped", Int64Codec, func(m *tree) **int64 { return &m.Wrapped }),
	)
}

func TestTextsSurviveARoundTrip(t *testing.T) {
	for _, text := range []string{
		`{}`,
		`{"text":"a\"\\\n\r\t\u0001\u007fé日本😀</script>"}`,
		`{"count":"9223372036854775807","big":"18446744073709551615","small":-2147483648,"size":4294967295}`,
		`{"count":"-9223372036854775808","numbers":["0","-1"]}`,
		`{"ratio":0.1,"single":0.1}`, `{"ratio":1e+21,"single":1e-07}`, `{"ratio":100000000000000000000}`,
		`{"ratio":"NaN","single":"-Infinity"}`, `{"ratio":-0}`, `{"ratio":1.7976931348623157e+308}`,
		`{"flag":true,"data":"AAEC/w==","color":"RED"}`,
		`{"color":"PURPLE","maybe":"COLOR_NONE"}`, `{"color":7}`, `{"maybe":-3}`,
		`{"note":"","child":{},"items":[{},{"text":"x"}]}`,
		`{"values":[null,1,"a",[],{}]}`, `{"byName":{"":{},"b":{"text":"x"}},"byCount":{"-1":"a","10":"b"},"byFlag":{"false":0,"true":1}}`,
		`{"left":""}`, `{"right":""}`, `{"nothing":null}`,
		`{"any":null}`, `{"any":{"a":[1.5,null]}}`, `{"object":{},"list":[],"mask":"","empty":{},"packed":{"@type":"x"}}`,
		`{"any":12345678901234567890}`, `{"any":9007199254740993}`, `{"any":9007199254740992}`,
		`{"mask":"user.displayName,photo"}`,
		`{"at":"0001-01-01T00:00:00Z"}`, `{"at":"9999-12-31T23:59:59.999999999Z"}`, `{"at":"2026-01-31T09:30:00.100Z"}`,
		`{"span":"-315576000000s"}`, `{"span":"0s"}`, `{"span":"-0.000000001s"}`, `{"span":"1.500s"}`,
		`{"wrapped":"0"}`,
	} {
		message := new(tree)
		if err := messageTree.Unmarshal([]byte(text), message); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		got := messageTree.Text(message)
		wantEqual(t, got, strings.ReplaceAll(text, `\u007f`, "\x7f"))
	}
}

func TestReadersAreLenient(t *testing.T) {
	for text, want := range map[string]string{
		` { "text" : null , "child" : null, "any" : {} } `:                            `{"any":{}}`,
		`{"the_note":"x","by_count":{"1":"a"}}`:                                       `{"note":"x","byCount":{"1":"a"}}`,
		`{"count":9223372036854775807,"big":18446744073709551615}`:                    `{"count":"9223372036854775807","big":"18446744073709551615"}`,
		`{"count":1e3,"small":"1.0","size":"10e-1","big":"1.8446744073709551615e19"}`: `{"count":"1000","big":"18446744073709551615","small":1,"size":1}`,
		`{"ratio":"1.5","single":"2"}`:                                                `{"ratio":1.5,"single":2}`,
		`{"data":"_-8"}`:                                                              `{"data":"/+8="}`,
		`{"color":1,"maybe":"CRIMSON"}`:                                               `{"color":"RED","maybe":"RED"}`,
		`{"at":"2026-01-31T10:30:00.10+01:00"}`:                                       `{"at":"2026-01-31T09:30:00.100Z"}`,
		`{"span":"3.0s"}`:                                                             `{"span":"3s"}`,
		`{"future":{"a":[1,{"b":"}]"}]},"text":"x"}`:                                  `{"text":"x"}`,
		`{"left":null,"right":"AA=="}`:                                                `{"right":"AA=="}`,
		`{"text":"\ud83d\ude00\/\u00e9"}`:                                             `{"text":"😀/é"}`,
		`{"nothing":"NULL_VALUE"}`:                                                    `{"nothing":null}`,
	} {
		message := new(tree)
		if err := messageTree.Unmarshal([]byte(text), message); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		wantEqual(t, messageTree.Text(message), want)
	}
}

func TestInvalidValuesAreReported(t *testing.T) {
	for text, want := range map[string]string{
		``:                                  `test.Tree: not JSON`,
		`{"text":"x"`:                       `test.Tree: not JSON`,
		`[]`:                                `test.Tree: expected an object, got a list`,
		`{"text":1}`:                        `test.Tree: text: expected a string, got a number`,
		`{"count":"x"}`:                     `count: expected a number, got "x"`,
		`{"count":" 1"}`:                    `count: expected a number`,
		`{"count":1.5}`:                     `count: not an integer`,
		`{"count":9223372036854775808}`:     `count: out of range for int64`,
		`{"count":1e400}`:                   `count: out of range`,
		`{"big":-1}`:                        `big: out of range for uint64`,
		`{"small":2147483648}`:              `small: out of range for int32`,
		`{"size":4294967296}`:               `size: out of range for uint32`,
		`{"size":-1}`:                       `size: out of range for uint32`,
		`{"size":1e300}`:                    `size: out of range for uint32`,
		`{"small":9223372036854775808}`:     `small: out of range for int32`,
		`{"single":3.5e38}`:                 `single: out of range for 32 bits`,
		`{"ratio":"1e999"}`:                 `ratio: out of range for 64 bits`,
		`{"flag":"true"}`:                   `flag: expected a boolean, got a string`,
		`{"data":"*"}`:                      `data: invalid base64`,
		`{"color":true}`:                    `color: expected a name or number, got a boolean`,
		`{"color":1.5}`:                     `color: an enum number must be a 32-bit integer`,
		`{"numbers":[1,null]}`:              `numbers[1]: expected a number, got null`,
		`{"items":[{"child":{"text":[]}}]}`: `items[0].child.text: expected a string, got a list`,
		`{"byName":{"a":{"flag":0}}}`:       `byName.a.flag: expected a boolean`,
		`{"byCount":{"x":"a"}}`:             `byCount: expected a number as key, got "x"`,
		`{"left":"a","right":"AA=="}`:       `right: more than one field of side is set`,
		`{"at":"2026-01-31"}`:               `at: expected a timestamp`,
		`{"at":"2026-01-31T09:30:00,5Z"}`:   `at: expected a timestamp`,
		`{"at":"0000-12-31T00:00:00Z"}`:     `at: the timestamp is outside the years 1 to 9999`,
		`{"span":"1"}`:                      `span: expected a duration`,
		`{"span":"315576000001s"}`:          `span: the duration exceeds 10,000 years`,
		`{"mask":"a_b"}`:                    `mask: expected a field mask`,
		`{"object":[]}`:                     `object: expected an object, got a list`,
		`{"child":` + strings.Repeat(`{"child":`, 10_001) + `{}` + strings.Repeat(`}`, 10_002): `not JSON`,
	} {
		message := &tree{Text: "before"}
		err := messageTree.Unmarshal([]byte(text), message)
		failure := wantMessageError(t, err)
		if !strings.Contains(failure.Message, want) {
			t.Errorf("%.80s: got %q, want %q in it", text, failure.Message, want)
		}
		wantEqual(t, message.Text, "before")
	}
}

func TestUnencodableValuesAreReported(t *testing.T) {
	loop := &tree{}
	loop.Child = loop
	for want, message := range map[string]*tree{
		"text: not valid UTF-8":                     {Text: "\xff"},
		"items[1]: expected a message, got nil":     {Items: []*tree{{}, nil}},
		"right: more than one field of side is set": {Left: svc.Pointer(""), Right: []byte{}},
		"at: the timestamp is outside":              {At: svc.Pointer(time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC))},
		"span: seconds and nanos":                   {Span: &svc.Duration{Seconds: 1, Nanos: -1}},
		"mask: the path":                            {Mask: svc.FieldMask{"a__b"}},
		"any: not a JSON value":                     {Any: math.NaN()},
		"nested too deeply":                         loop,
		"byName.\"a\".text: not valid UTF-8":        {ByName: map[string]*tree{"a": {Text: "\xff"}}},
	} {
		_, err := messageTree.Marshal(message)
		failure := wantMessageError(t, err)
		if !strings.Contains(failure.Message, want) {
			t.Errorf("got %.200q, want %q in it", failure.Message, want)
		}
	}
}

func TestStrictReadersRefuseUnknownFields(t *testing.T) {
	got := &tree{}
	if err := svc.UnmarshalStrict([]byte(`{"child":{"text":"a"}}`), got); err != nil || got.Child.Text != "a" {
		t.Errorf("got %v, %v", got, err)
	}
	for _, err := range []error{
		svc.UnmarshalStrict([]byte(`{"items":[{"txet":"a"}]}`), got),
		svc.UnmarshalStrict([]byte(`{"items":[{"txet":"a"}]}`), &got),
	} {
		if want := `test.Tree: items[0]: unknown field "txet"`; wantMessageError(t, err).Message != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	wantMessageError(t, svc.UnmarshalStrict([]byte(`{}`), (*tree)(nil)))
	wantMessageError(t, svc.UnmarshalStrict([]byte(`{}`), new(testing.T)))
	wantEqual(t, got.Child.Text, "a")
}

func TestPublicConvertersKnowAllTypesOfCalls(t *testing.T) {
	wantPublic(t, &tree{Text: "a"}, `{"text":"a"}`)
	wantPublic(t, svc.Duration{Seconds: 1, Nanos: 500_000_000}, `"1.500s"`)
	wantPublic(t, svc.FieldMask{"one_thing"}, `"oneThing"`)
	wantPublic(t, int64(1)<<60, `"1152921504606846976"`)
	wantPublic(t, map[string]any{"text": "<a>"}, `{"text":"<a>"}`)
	wantPublic(t, any("a"), `"a"`)
	wantPublic(t, &svc.Empty{}, `{}`)
}

func wantPublic[T any](t *testing.T, value T, want string) {
	t.Helper()
	text, err := svc.Marshal(value)
	if err != nil || string(text) != want {
		t.Errorf("got %s, %v, want %s", text, err, want)
	}
	var got T
	if err := svc.UnmarshalStrict(text, &got); err != nil || !reflect.DeepEqual(got, value) {
		t.Errorf("got %v, %v, want %v", got, err, value)
	}
}

func TestNullLeavesAMessageAsItIs(t *testing.T) {
	message := &tree{Text: "before"}
	if err := messageTree.Unmarshal([]byte("null"), message); err != nil {
		t.Fatal(err)
	}
	wantEqual(t, message.Text, "before")
	_, err := messageTree.Codec().Unmarshal([]byte("null"))
	wantEqual(t, wantMessageError(t, err).Message, "test.Tree: expected an object, got null")
}

func TestAbsentEnumsAreTheDefaultValue(t *testing.T) {
	message := new(tree)
	if err := messageTree.Unmarshal([]byte(`{}`), message); err != nil {
		t.Fatal(err)
	}
	wantEqual(t, message.Color, "")
	wantEqual(t, enumColor.Text(string(message.Color)), "COLOR_NONE")
	wantEqual(t, messageTree.Text(&tree{Maybe: svc.Pointer(color(""))}), `{"maybe":"COLOR_NONE"}`)
	number, known := enumColor.Number("CRIMSON")
	wantEqual(t, fmt.Sprint(number, known), "1 true")
	number, known = enumColor.Number("7")
	wantEqual(t, fmt.Sprint(number, known), "7 true")
	_, known = enumColor.Number("PURPLE")
	wantEqual(t, known, false)
}

func TestFreeValuesAreGoValues(t *testing.T) {
	message := new(tree)
	text := `{"any":{"n":1.5,"big":12345678901234567890,"nothing":null},"values":[null]}`
	if err := messageTree.Unmarshal([]byte(text), message); err != nil {
		t.Fatal(err)
	}
	object := message.Any.(map[string]any)
	wantEqual(t, object["n"], any(1.5))
	wantEqual(t, object["big"], any(json.Number("12345678901234567890")))
	wantEqual(t, object["nothing"], nil)
	wantEqual(t, message.Values[0], nil)
	wantEqual(t, messageTree.Text(&tree{Any: svc.NullValue{}, Object: map[string]any{"a": []int{1}, "<": "&"}}),
		`{"any":null,"object":{"<":"&","a":[1]}}`)
}

func TestErrorsOfTheCodecAreAPIErrors(t *testing.T) {
	_, err := Int32Codec.Unmarshal([]byte(`"x"`))
	wantEqual(t, errors.Is(err, svc.ErrMessage), true)
	wantEqual(t, err.Error(), `svc: int32: expected a number, got "x"`)
	_, err = messageTree.Codec().Unmarshal([]byte(`7`))
	wantEqual(t, err.Error(), `svc: test.Tree: expected an object, got a number`)
}

func FuzzReadersGiveWhatTheyWrite(f *testing.F) {
	f.Add(`{"text":"a","count":"1","items":[{}],"byName":{"a":{}},"any":[1,null],"at":"2026-01-31T09:30:00Z"}`)
	f.Fuzz(func(t *testing.T, text string) {
		message := new(tree)
		if messageTree.Unmarshal([]byte(text), message) != nil {
			return
		}
		written, err := messageTree.Marshal(message)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		again := new(tree)
		if err := messageTree.Unmarshal(written, again); err != nil {
			t.Fatalf("%q: %v", written, err)
		}
		wantEqual(t, messageTree.Text(again), string(written))
	})
}
