package svc

// fakeHas panics with the name of the function if a fake needs it and does not have it.
func fakeHas(function string, has bool) {
	if !has {
		panic("svc: the fake has no " + function)
	}
}
