package protojson

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"svc.runtime/svc"
)

// note is a message with a field of each kind that has edges.
type note struct {
	Text    string
	At      *time.Time
	Took    *svc.Duration
	Null    svc.NullValue
	Maybe   *svc.NullValue
	OrNull  *svc.NullValue
	OrText  *string
	Counts  map[string]int64
	Free    map[string]any
	Details *note
}

var messageNote = NewMessage[note]("test.Note")

func init() {
	messageNote.Define(
		Single("text", "text", StringCodec, func(m *note) *string { return &m.Text }),
		Optional("at", "at", TimestampCodec, func(m *note) **time.Time { return &m.At }),
		Optional("took", "took", DurationCodec, func(m *note) **svc.Duration { return &m.Took }),
		Single("null", "null", NullCodec, func(m *note) *svc.NullValue { return &m.Null }),
		Optional("maybe", "maybe", NullCodec, func(m *note) **svc.NullValue { return &m.Maybe }),
		InOneof("either", Optional("orNull", "or_null", NullCodec, func(m *note) **svc.NullValue { return &m.OrNull })),
		InOneof("either", Optional("orText", "or_text", StringCodec, func(m *note) **string { return &m.OrText })),
		Map("counts", "counts", StringKey, Int64Codec, func(m *note) *map[string]int64 { return &m.Counts }),
		Nilable("free", "free", StructCodec, func(m *note) *map[string]any { return &m.Free }),
		Nilable("details", "details", messageNote.Codec(), func(m *note) **note { return &m.Details }),
	)
}

// broken is a type that cannot be encoded.
type broken struct{ err error }

func (b broken) MarshalJSON() ([]byte, error) { return nil, b.err }

func TestErrorsOfTheTypesOfTheCallerAreKept(t *testing.T) {
	cause := errors.New("out of ink")
	for _, value := range []*note{
		{Free: map[string]any{"a": broken{cause}}},
		{Details: &note{Free: map[string]any{"a": []any{broken{cause}}}}},
	} {
		_, err := messageNote.Marshal(value)
		if !errors.Is(err, cause) || !errors.Is(err, svc.ErrMessage) {
			t.Errorf("got %v", err)
		}
	}
}

func TestErrorsContainPackagePrefixOnce(t *testing.T) {
	inner := broken{&svc.APIError{Kind: svc.ErrMessage, Message: "out of ink"}}
	_, err := messageNote.Marshal(&note{Free: map[string]any{"a": inner}})
	if text := err.Error(); strings.Count(text, "svc: ") != 1 || !strings.HasSuffix(text, ": out of ink") {
		t.Errorf("got %q", text)
	}
}

func TestErrorsOfDeepMessagesAreShort(t *testing.T) {
	cyclic := &note{}
	cyclic.Details = cyclic
	_, err := messageNote.Marshal(cyclic)
	if err == nil || len(err.Error()) > 2*longestPath || !strings.Contains(err.Error(), "details.details.") || !strings.HasSuffix(err.Error(), "...: nested too deeply") {
		t.Errorf("got %.2000v", err)
	}
}

func TestProtoJSONAtItsEdges(t *testing.T) {
	for input, want := range map[string]string{
		`{"took":"315576000000.999999999s"}`:       "",
		`{"took":"-315576000000.999999999s"}`:      "",
		`{"took":"315576000001s"}`:                 "took: the duration exceeds 10,000 years",
		`{"took":"-315576000001s"}`:                "took: the duration exceeds 10,000 years",
		`{"at":"9999-12-31T23:59:59.999Z"}`:        "",
		`{"at":"2026-01-31t09:30:00Z"}`:            "at: expected a timestamp",
		`{"at":"2026-01-31T09:30:00z"}`:            "at: expected a timestamp",
		`{"at":"2026-01-31T9:30:00Z"}`:             "at: expected a timestamp",
		`{"at":"2026-01-31T09:30:00,5Z"}`:          "at: expected a timestamp",
		`{"at":"2026-01-31T09:30:00.1234567891Z"}`: "at: expected a timestamp",
		`{"text":"a","text":"b"}`:                  "text: given twice",
		`{"text":null,"text":"b"}`:                 "text: given twice",
		`{"orText":"a","or_text":"b"}`:             "orText: given twice",
		`{"counts":{"a":"1","a":"2"}}`:             "counts.a: given twice",
		`{"free":{"a":{"b":1,"b":2}}}`:             "free.a.b: given twice",
		`{"details":{"text":"a","text":"b"}}`:      "details.text: given twice",
		`{"unknown":1,"unknown":2}`:                "",
		`{"orNull":null}`:                          "",
		`{"orNull":null,"orText":"a"}`:             "orText: more than one field of either is set",
	} {
		data, err := roundTrip(input)
		switch {
		case want != "":
			if failure := wantMessageError(t, err); !strings.HasPrefix(failure.Message, "test.Note: "+want) {
				t.Errorf("%s: got %q, want %q", input, failure.Message, want)
			}
		case err != nil:
			t.Errorf("%s: %v", input, err)
		case !strings.Contains(input, "unknown"):
			wantEqual(t, data, input)
		}
	}
}

func roundTrip(text string) (string, error) {
	var message note
	if err := messageNote.Unmarshal([]byte(text), &message); err != nil {
		return "", err
	}
	data, err := messageNote.Marshal(&message)
	return string(data), err
}

func TestNullIsAbsence(t *testing.T) {
	var message note
	const nulls = `{"text":null,"at":null,"null":null,"maybe":null,"orText":null,"counts":null,"free":null,"details":null}`
	if err := messageNote.Unmarshal([]byte(nulls), &message); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(message, note{}) {
		t.Errorf("got %+v", message)
	}
	data, err := roundTrip(`{"maybe":"NULL_VALUE"}`)
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, data, `{"maybe":null}`)
}

// mood is an enum with an alias of its default and of another value.
type mood string

var enumMood = NewEnum("test.Mood", NewEnumValue("SAD", 1), NewEnumValue("MOOD_UNSPECIFIED", 0),
	NewEnumValue("NONE", 0), NewEnumValue("BLUE", 1))

func TestEnumsKeepTheirValues(t *testing.T) {
	for input, want := range map[string]struct {
		value   mood
		number  int32
		isKnown bool
		output  string
	}{
		`"MOOD_UNSPECIFIED"`: {"", 0, true, `"MOOD_UNSPECIFIED"`},
		`"NONE"`:             {"", 0, true, `"MOOD_UNSPECIFIED"`},
		`0`:                  {"", 0, true, `"MOOD_UNSPECIFIED"`},
		`"SAD"`:              {"SAD", 1, true, `"SAD"`},
		`"BLUE"`:             {"SAD", 1, true, `"SAD"`},
		`1`:                  {"SAD", 1, true, `"SAD"`},
		`7`:                  {"7", 7, true, `7`},
		`"FUTURE"`:           {"FUTURE", 0, false, `"FUTURE"`},
	} {
		value := mood("before")
		if err := UnmarshalEnum(enumMood, []byte(input), &value); err != nil {
			t.Fatal(err)
		}
		wantEqual(t, value, want.value)
		number, isKnown := enumMood.Number(string(value))
		wantEqual(t, number, want.number)
		wantEqual(t, isKnown, want.isKnown)
		data, err := MarshalEnum(enumMood, value)
		if err != nil {
			t.Fatal(err)
		}
		wantEqual(t, string(data), want.output)
		wantEqual(t, enumMood.Text(string(value)), strings.Trim(want.output, `"`))
	}
	// Programs can also use the name of the default value.
	data, err := MarshalEnum(enumMood, mood("NONE"))
	if err != nil {
		t.Fatal(err)
	}
	wantEqual(t, string(data), `"MOOD_UNSPECIFIED"`)
	value := mood("before")
	if err := UnmarshalEnum(enumMood, []byte("null"), &value); err != nil {
		t.Fatal(err)
	}
	wantMessageError(t, UnmarshalEnum(enumMood, []byte("true"), &value))
	wantEqual(t, value, "before")
}

// feeling is a message with an enum.
type feeling struct{ Mood mood }

var messageFeeling = NewMessage[feeling]("test.Feeling")

func init() {
	messageFeeling.Define(Single("mood", "mood", EnumCodec[mood](enumMood), func(m *feeling) *mood { return &m.Mood }))
}

func TestDecodedMessageEqualsFreshOne(t *testing.T) {
	for _, input := range []string{`{}`, `{"mood":"MOOD_UNSPECIFIED"}`, `{"mood":0}`, `{"mood":null}`} {
		var message feeling
		if err := messageFeeling.Unmarshal([]byte(input), &message); err != nil {
			t.Fatal(err)
		}
		wantEqual(t, message, feeling{})
		wantEqual(t, messageFeeling.Text(&message), `{}`)
	}
}

func TestTextShowsMessages(t *testing.T) {
	wantEqual(t, messageNote.Text(nil), "<nil>")
	wantEqual(t, messageNote.Text(&note{Text: "a"}), `{"text":"a"}`)
	wantEqual(t, messageNote.Text(&note{Text: "\xff"}), "<test.Note: text: not valid UTF-8>")
}

func wantMessageError(t *testing.T, err error) *svc.APIError {
	t.Helper()
	var failure *svc.APIError
	if !errors.As(err, &failure) || failure.Kind != svc.ErrMessage {
		t.Fatalf("got %v, want an APIError of the kind %s", err, svc.ErrMessage)
	}
	return failure
}

func wantEqual[T comparable](t *testing.T, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}
