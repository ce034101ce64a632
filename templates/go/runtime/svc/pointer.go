package svc

// Pointer gives a pointer to a value, for fields that may be absent:
//
//	&Order{Note: svc.Pointer("by post")}
func Pointer[T any](value T) *T { return &value }
