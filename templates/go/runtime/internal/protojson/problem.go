package protojson

import (
	"errors"
	"fmt"
	"strings"

	"svc.runtime/svc"
)

// problem is an invalid value. Its path is extended as the error propagates.
type problem struct {
	// path is the path of the value, such as "lines[2].price". It is empty for the message
	// itself.
	path string
	text string
	// cause is the error of a type of the caller, or nil.
	cause error
}

func (p *problem) Error() string { return p.text }

func problemf(format string, args ...any) error {
	return &problem{text: fmt.Sprintf(format, args...)}
}

// longestPath is the maximum length in bytes of a path in an error message. A message that
// contains itself would have an endless path.
const longestPath = 500

// errGivenTwice is the problem of a name that occurs twice in an object.
var errGivenTwice = problemf("given twice")

// beneath prepends a field or key to the path.
func beneath(step string, err error) error {
	var found *problem
	if !errors.As(err, &found) {
		found = &problem{text: Text(err)}
	}
	joint := "."
	if found.path == "" || strings.HasPrefix(found.path, "[") {
		joint = ""
	}
	path := step + joint + found.path
	if len(path) > longestPath {
		path = strings.ToValidUTF8(path[:longestPath], "") + "..."
	}
	return &problem{path: path, text: found.text, cause: found.cause}
}

// beneathIndex prepends a list index to the path.
func beneathIndex(index int, err error) error {
	return beneath(fmt.Sprintf("[%d]", index), err)
}

// Text returns the text of an error without the package prefix, which the error message of an
// svc.APIError adds itself.
func Text(err error) string {
	text := err.Error()
	var failure *svc.APIError
	if errors.As(err, &failure) {
		own := failure.Error()
		text = strings.Replace(text, own, strings.TrimPrefix(own, "svc: "), 1)
	}
	return text
}

// messageError returns the error for the caller.
func messageError(name string, err error) error {
	where := name
	var cause error
	var found *problem
	if errors.As(err, &found) {
		cause = found.cause
		if found.path != "" {
			where += ": " + found.path
		}
	}
	return &svc.APIError{Kind: svc.ErrMessage, Message: where + ": " + Text(err), Err: cause}
}
