package svc

import "fmt"

// InputPanic is the value of a panic that a streamed input has caused. The input is read in a
// goroutine of its own, so the panic is raised again in that of the call.
type InputPanic struct {
	// Value is the value of the panic of the input.
	Value any
	// Stack is the stack trace of the panic of the input.
	Stack []byte
}

// Error returns the value and the stack trace, which the program prints if it does not recover.
func (p *InputPanic) Error() string {
	return fmt.Sprintf(prefix+"the streamed input panicked: %v\n\n%s", p.Value, p.Stack)
}

// Unwrap returns the value if it is an error, or nil.
func (p *InputPanic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}
