package calls

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"sync"
	"sync/atomic"

	"svc.runtime/internal/protojson"
	"svc.runtime/svc"
)

// inputLines is a request body with a line of JSON for each message of a source. It
// reads the source as it is read, and stops it when it is closed. It can be closed while
// it is read.
type inputLines[In any] struct {
	input   protojson.Codec[In]
	mutex   sync.Mutex
	next    func() (In, error, bool)
	stop    func()
	rest    []byte
	closed  atomic.Bool
	count   atomic.Int64
	failure atomic.Pointer[error]
}

func newInputLines[In any](input protojson.Codec[In], source iter.Seq2[In, error]) *inputLines[In] {
	next, stop := iter.Pull2(source)
	return &inputLines[In]{input: input, next: next, stop: stop}
}

// sent returns the number of messages that were read.
func (l *inputLines[In]) sent() int64 { return l.count.Load() }

// err returns the error of the source or of a message, or nil.
func (l *inputLines[In]) err() error {
	if failure := l.failure.Load(); failure != nil {
		return *failure
	}
	return nil
}

// Read implements io.Reader.
func (l *inputLines[In]) Read(buffer []byte) (int, error) {
	// A source that was closed meanwhile is stopped when it can be.
	defer func() {
		if l.closed.Load() {
			_ = l.Close()
		}
	}()
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if len(l.rest) == 0 {
		if l.closed.Load() {
			return 0, io.ErrClosedPipe
		}
		line, err := l.line()
		if err != nil {
			return 0, err
		}
		l.rest = line
	}
	count := copy(buffer, l.rest)
	l.rest = l.rest[count:]
	return count, nil
}

// Close implements io.Closer.
func (l *inputLines[In]) Close() error {
	l.closed.Store(true)
	if l.mutex.TryLock() {
		defer l.mutex.Unlock()
		l.stop()
	}
	return nil
}

func (l *inputLines[In]) line() ([]byte, error) {
	message, err, ok := l.next()
	if !ok {
		return nil, io.EOF
	}
	if err != nil {
		return nil, l.fail(err)
	}
	data, err := l.input.Marshal(message)
	if err != nil {
		return nil, l.fail(namingInput(err, l.sent()))
	}
	l.count.Add(1)
	return append(data, '\n'), nil
}

func (l *inputLines[In]) fail(err error) error {
	l.failure.Store(&err)
	return err
}

// namingInput adds the number of an input message to its error.
func namingInput(err error, number int64) error {
	var failure *svc.APIError
	if !errors.As(err, &failure) {
		return err
	}
	named := *failure
	named.Message = fmt.Sprintf("input message %d: %s", number, failure.Message)
	return &named
}
