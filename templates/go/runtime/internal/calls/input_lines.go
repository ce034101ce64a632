package calls

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"svc.runtime/internal/protojson"
	"svc.runtime/svc"
)

// longestFarewell is how long a call waits at its end for its source to stop.
const longestFarewell = 100 * time.Millisecond

// inputLines is a request body with one line of JSON per message of a source. A goroutine reads
// the source, starting with the first Read, so that a source that blocks does not keep the call
// from ending.
type inputLines[In any] struct {
	input  protojson.Codec[In]
	source iter.Seq2[In, error]
	reader *io.PipeReader
	writer *io.PipeWriter
	begin  sync.Once
	ended  chan struct{}
	count  atomic.Int64
	// isComplete is true once the source has returned after its last message.
	isComplete atomic.Bool
	failure    atomic.Pointer[error]
	panicked   atomic.Pointer[svc.InputPanic]
}

func newInputLines[In any](input protojson.Codec[In], source iter.Seq2[In, error]) (*inputLines[In], error) {
	if source == nil {
		return nil, &svc.APIError{Kind: svc.ErrMessage, Message: "the streamed input is nil"}
	}
	reader, writer := io.Pipe()
	return &inputLines[In]{input: input, source: source, reader: reader, writer: writer, ended: make(chan struct{})}, nil
}

// complete reports whether all messages of the source were sent.
func (l *inputLines[In]) complete() bool { return l.isComplete.Load() }

// sent returns the number of messages read from the source.
func (l *inputLines[In]) sent() int64 { return l.count.Load() }

// err returns the error of the source or of a message, or nil. It panics if the source
// panicked.
func (l *inputLines[In]) err() error {
	if panicked := l.panicked.Load(); panicked != nil {
		panic(panicked)
	}
	if failure := l.failure.Load(); failure != nil {
		return *failure
	}
	return nil
}

// Read implements io.Reader.
func (l *inputLines[In]) Read(buffer []byte) (int, error) {
	l.begin.Do(func() { go l.write() })
	return l.reader.Read(buffer)
}

// Close implements io.Closer. The source stops at its next message.
func (l *inputLines[In]) Close() error { return l.reader.Close() }

// end stops the source and waits for it to end, for at most longestFarewell. It panics if the
// source panicked.
func (l *inputLines[In]) end() {
	_ = l.Close()
	l.begin.Do(func() { close(l.ended) })
	select {
	case <-l.ended:
	case <-time.After(longestFarewell):
	}
	_ = l.err()
}

// write writes the lines. A panic of the source is recorded and raised again in the goroutine
// of the caller.
func (l *inputLines[In]) write() {
	defer close(l.ended)
	err := errors.New("svc: the goroutine of the streamed input has exited")
	hasReturned := false
	defer func() {
		if panicked := recover(); panicked != nil {
			err = errors.New("the streamed input has panicked")
			l.panicked.Store(&svc.InputPanic{Value: panicked, Stack: debug.Stack()})
		} else if !hasReturned {
			l.failure.Store(&err)
		}
		// io.EOF would end the body as if the input were complete.
		_ = l.writer.CloseWithError(unexpected(err))
	}()
	err = l.writeLines()
	hasReturned = true
}

func (l *inputLines[In]) writeLines() error {
	for message, err := range l.source {
		if err != nil {
			return l.fail(err)
		}
		data, err := l.input.Marshal(message)
		if err != nil {
			return l.fail(namingInput(err, l.sent()))
		}
		l.count.Add(1)
		if _, err := l.writer.Write(append(data, '\n')); err != nil {
			return err
		}
	}
	l.isComplete.Store(true)
	return nil
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
