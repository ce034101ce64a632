package svc

// fakeHas panics with the name of a function that a fake needs and does not have.
func fakeHas(function string, has bool) {
	if !has {
		panic("svc: the fake has no " + function)
	}
}
