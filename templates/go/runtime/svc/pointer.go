package svc

// Pointer returns a pointer to a value, for fields with presence:
//
//	&Order{Note: svc.Pointer("by post")}
func Pointer[T any](value T) *T { return &value }
