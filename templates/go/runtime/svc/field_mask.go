package svc

import (
	"fmt"
	"strings"
)

// FieldMask is a set of field paths (google.protobuf.FieldMask), such as
// "user.display_name". Nil means absent.
type FieldMask []string

// MarshalText encodes the paths in camel case, separated by commas. The error is
// [ErrMessage] if a path cannot be converted to camel case.
func (m FieldMask) MarshalText() ([]byte, error) {
	var text []byte
	for i, path := range m {
		if i > 0 {
			text = append(text, ',')
		}
		camel, ok := toCamelPath(path)
		if !ok {
			return nil, messageError(fmt.Sprintf("the path %q cannot be converted to camel case", path))
		}
		text = append(text, camel...)
	}
	return text, nil
}

// UnmarshalText decodes what MarshalText encodes. Errors are of kind [ErrMessage].
func (m *FieldMask) UnmarshalText(text []byte) error {
	mask := FieldMask{}
	if len(text) > 0 {
		for path := range strings.SplitSeq(string(text), ",") {
			snake, ok := toSnakePath(path)
			if !ok {
				return messageError(fmt.Sprintf("expected a field mask such as user.displayName,photo, got %q", text))
			}
			mask = append(mask, snake)
		}
	}
	*m = mask
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
