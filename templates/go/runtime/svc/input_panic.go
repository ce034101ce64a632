package svc

import "fmt"

// InputPanic is the panic value of a call whose streamed input panicked. The input is read in
// its own goroutine, and the panic is raised again in the goroutine of the call.
type InputPanic struct {
	// Value is the value of the panic of the input.
	Value any
	// Stack is the stack trace of the panic of the input.
	Stack []byte
}

// Error returns the value and the stack trace. The program prints both if it does not recover.
func (p *InputPanic) Error() string {
	return fmt.Sprintf(prefix+"the streamed input panicked: %v\n\n%s", p.Value, p.Stack)
}

// Unwrap returns the value if it is an error, or nil.
func (p *InputPanic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}
