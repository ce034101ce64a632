package svc

import (
	"errors"
	"fmt"
	"strings"
)

// problem is a value that does not fit. Its path grows while it travels outwards.
type problem struct {
	// path is where the value stands: "lines[2].price"; empty at the root.
	path string
	text string
}

func (p *problem) Error() string { return p.text }

func problemf(format string, args ...any) error {
	return &problem{text: fmt.Sprintf(format, args...)}
}

// beneath says that the value of a problem stands beneath a field or key.
func beneath(step string, err error) error {
	var found *problem
	if !errors.As(err, &found) {
		found = &problem{text: err.Error()}
	}
	joint := "."
	if found.path == "" || strings.HasPrefix(found.path, "[") {
		joint = ""
	}
	return &problem{path: step + joint + found.path, text: found.text}
}

// beneathIndex says that the value of a problem is an item of a list.
func beneathIndex(index int, err error) error {
	return beneath(fmt.Sprintf("[%d]", index), err)
}

// messageError is the failure that the caller sees.
func messageError(name string, err error) error {
	where := name
	var found *problem
	if errors.As(err, &found) && found.path != "" {
		where += ": " + found.path
	}
	return &APIError{Kind: ErrMessage, Message: where + ": " + err.Error()}
}
