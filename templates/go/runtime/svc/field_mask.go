package svc

import "strings"

// FieldMask is a set of field paths (google.protobuf.FieldMask), such as
// "user.display_name". Nil means absent.
type FieldMask []string

// FieldMaskCodec is the codec of google.protobuf.FieldMask: a comma-separated string
// of camel-case paths.
var FieldMaskCodec = Codec[FieldMask]{
	name:      "google.protobuf.FieldMask",
	read:      readFieldMask,
	write:     writeFieldMask,
	isDefault: never[FieldMask],
	isNil:     func(value FieldMask) bool { return value == nil },
}

func readFieldMask(r *reader) (FieldMask, error) {
	text, err := readForm(r, "a field mask such as user.displayName,photo")
	if err != nil {
		return nil, err
	}
	mask := FieldMask{}
	if text == "" {
		return mask, nil
	}
	for path := range strings.SplitSeq(text, ",") {
		snake, ok := toSnakePath(path)
		if !ok {
			return nil, problemf("expected a field mask such as user.displayName,photo, got %q", text)
		}
		mask = append(mask, snake)
	}
	return mask, nil
}

func writeFieldMask(w *writer, mask FieldMask) error {
	w.byte('"')
	for i, path := range mask {
		if i > 0 {
			w.byte(',')
		}
		camel, ok := toCamelPath(path)
		if !ok {
			return beneathIndex(i, problemf("the path %q cannot be converted to camel case", path))
		}
		w.raw(camel)
	}
	w.byte('"')
	return nil
}

func toSnakePath(camel string) (string, bool) {
	var snake strings.Builder
	for _, char := range []byte(camel) {
		switch {
		case 'A' <= char && char <= 'Z':
			snake.WriteByte('_')
			snake.WriteByte(char + 'a' - 'A')
		case isPathByte(char):
			snake.WriteByte(char)
		default:
			return "", false
		}
	}
	return snake.String(), isPath(camel)
}

func toCamelPath(snake string) (string, bool) {
	var camel strings.Builder
	for i := 0; i < len(snake); i++ {
		switch char := snake[i]; {
		case char == '_':
			if i++; i == len(snake) || snake[i] < 'a' || snake[i] > 'z' {
				return "", false
			}
			camel.WriteByte(snake[i] + 'A' - 'a')
		case isPathByte(char):
			camel.WriteByte(char)
		default:
			return "", false
		}
	}
	return camel.String(), isPath(snake)
}

// isPathByte reports whether a byte is valid in a path, except capitals and
// underscores.
func isPathByte(char byte) bool {
	return char == '.' || 'a' <= char && char <= 'z' || '0' <= char && char <= '9'
}

// isPath reports whether all segments of a path are non-empty.
func isPath(path string) bool {
	return path != "" && !strings.Contains("."+path+".", "..")
}
