package protojson

import (
	"testing"
	"time"

	"svc.runtime/svc"
)

// sheet is a message with a field of each kind.
type sheet struct {
	Text   string
	Count  int64
	Size   uint32
	Score  float64
	Flag   bool
	Data   []byte
	Grade  grade
	At     *time.Time
	Took   *svc.Duration
	Mask   svc.FieldMask
	Packed svc.Any
	Free   any
	Rows   []*sheet
	Totals map[int32]uint64
	Marks  map[bool]float32
}

type grade string

var messageSheet = NewMessage[sheet]("test.Sheet")

func init() {
	enumGrade := NewEnum("test.Grade", NewEnumValue("NONE", 0), NewEnumValue("GOOD", 1))
	messageSheet.Define(
		Single("text", "text", StringCodec, func(m *sheet) *string { return &m.Text }),
		Single("count", "count", Int64Codec, func(m *sheet) *int64 { return &m.Count }),
		Single("size", "size", Uint32Codec, func(m *sheet) *uint32 { return &m.Size }),
		Single("score", "score", DoubleCodec, func(m *sheet) *float64 { return &m.Score }),
		Single("flag", "flag", BoolCodec, func(m *sheet) *bool { return &m.Flag }),
		Single("data", "data", BytesCodec, func(m *sheet) *[]byte { return &m.Data }),
		Single("grade", "grade", EnumCodec[grade](enumGrade), func(m *sheet) *grade { return &m.Grade }),
		Optional("at", "at", TimestampCodec, func(m *sheet) **time.Time { return &m.At }),
		Optional("took", "took", DurationCodec, func(m *sheet) **svc.Duration { return &m.Took }),
		Nilable("mask", "mask", FieldMaskCodec, func(m *sheet) *svc.FieldMask { return &m.Mask }),
		Nilable("packed", "packed", AnyCodec, func(m *sheet) *svc.Any { return &m.Packed }),
		Nilable("free", "free", ValueCodec, func(m *sheet) *any { return &m.Free }),
		Repeated("rows", "rows", messageSheet.Codec(), func(m *sheet) *[]*sheet { return &m.Rows }),
		Map("totals", "totals", Int32Key, Uint64Codec, func(m *sheet) *map[int32]uint64 { return &m.Totals }),
		Map("marks", "marks", BoolKey, FloatCodec, func(m *sheet) *map[bool]float32 { return &m.Marks }),
	)
}

func TestInvalidNumbersAreRejected(t *testing.T) {
	for _, text := range []string{
		`{"count":" "}`, `{"count":""}`, `{"count":"\n"}`, `{"count":" 1"}`, `{"count":"1 "}`, `{"count":"+1"}`, `{"count":"-"}`,
		`{"count":"null"}`, `{"count":"{}"}`, `{"size":"\t"}`, `{"score":"\n"}`, `{"score":" "}`, `{"totals":{" ":1}}`,
		`{"totals":{"":1}}`, `{"totals":{"1":" "}}`, `{"marks":{"true":"\r"}}`, `{"rows":[{"count":" "}]}`,
	} {
		if _, err := messageSheet.Codec().Unmarshal([]byte(text)); err == nil {
			t.Errorf("%s was read", text)
		}
	}
}

// FuzzReader checks that whatever the reader accepts survives a round trip.
func FuzzReader(f *testing.F) {
	for _, text := range []string{
		`{"text":"a\ud83d\ude00\n","count":"-1","size":1e3,"score":"NaN","flag":true,"data":"AAE_","grade":"GOOD"}`,
		`{"at":"2026-01-31T09:30:00.5+01:00","took":"-1.5s","mask":"user.displayName,photo","packed":{"@type":"x","value":1}}`,
		` { "free" : [ null , -0.5 , { "a" : "b" } ] , "rows" : [ { } , { "grade" : 7 }, {"grade":"0"}, {"grade":"1"} ] } `,
		`{"totals":{"-1":"18446744073709551615"},"marks":{"true":" ","false":"-Infinity"}}`,
		`{"at":"2026","took":"s","mask":"_","packed":{},"data":"=","grade":" ","unknown":[[{"a":1}],"\\"]}`,
	} {
		f.Add(text)
	}
	codec := messageSheet.Codec()
	f.Fuzz(func(t *testing.T, text string) {
		message, err := codec.Unmarshal([]byte(text))
		if err != nil {
			return
		}
		first, err := codec.Marshal(message)
		if err != nil {
			t.Fatalf("%q was read, and cannot be written: %v", text, err)
		}
		again, err := codec.Unmarshal(first)
		if err != nil {
			t.Fatalf("%q was written as %s, which cannot be read: %v", text, first, err)
		}
		second, err := codec.Marshal(again)
		if err != nil || string(second) != string(first) {
			t.Fatalf("%q was written as %s, and then as %s, %v", text, first, second, err)
		}
	})
}
