package svc

import "svc.runtime/internal/config"

// UnmarshalStrict decodes ProtoJSON into a message, or into another type that a call takes or
// returns. Unlike encoding/json, it rejects unknown fields: in JSON that a person wrote, they
// are usually misspelled. Errors are of the kind [ErrMessage], and leave target unchanged.
func UnmarshalStrict[T any](data []byte, target *T) error {
	if target == nil {
		return &APIError{Kind: ErrMessage, Message: "the target is nil"}
	}
	if config.ProtoJSON == nil {
		return errWithoutMessages()
	}
	return config.ProtoJSON.UnmarshalStrict(data, target)
}

// Marshal encodes a message, or a value of another type that a call takes or returns, as
// ProtoJSON. For messages, encoding/json does the same. Errors are of the kind [ErrMessage].
func Marshal[T any](value T) ([]byte, error) {
	if config.ProtoJSON == nil {
		return nil, errWithoutMessages()
	}
	return config.ProtoJSON.Marshal(&value)
}

// errWithoutMessages is the error of a program that does not import the package of the client.
func errWithoutMessages() error {
	return &APIError{Kind: ErrMessage, Message: "ProtoJSON needs the package of the client"}
}
