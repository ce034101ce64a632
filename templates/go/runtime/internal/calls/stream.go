package calls

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strconv"
	"time"

	"svc.runtime/internal/protojson"
	"svc.runtime/svc"
)

const (
	streamPath = "/invocations/v1/flows/invoke/stream"
	// usualStreamTimeout is the default timeout of a stream, which is also what the service
	// allows a node.
	usualStreamTimeout = 5 * time.Minute
	// longestRun is the longest timeout of a flow.
	longestRun = 24 * time.Hour
)

// Stream runs a pipeline flow. Each iteration over the result sends a request.
func (f *Flow[In, Out]) Stream(ctx context.Context, connection *Connection, input In, options []svc.Option) iter.Seq2[Out, error] {
	return func(yield func(Out, error) bool) {
		opening, err := f.opening(input)
		stream := &frameStream[Out]{output: f.output, failure: svc.ErrFlowFailed}
		stream.run(ctx, connection, options, err, yield, &request{
			path: streamPath,
			body: func(left time.Duration) []byte {
				return fmt.Appendf(bytes.Clone(opening), `,"timeout_seconds":%d}`, runSeconds(left))
			},
		})
	}
}

// Stream calls a pipeline node with one message. Each iteration over the result sends a
// request.
func (n *Node[In, Out]) Stream(ctx context.Context, connection *Connection, input In, options []svc.Option) iter.Seq2[Out, error] {
	return func(yield func(Out, error) bool) {
		body, err := n.input.Marshal(input)
		stream := &frameStream[Out]{output: n.output, failure: svc.ErrNodeFailed}
		stream.run(ctx, connection, options, err, yield, &request{
			path: n.path,
			body: func(time.Duration) []byte { return body },
		})
	}
}

// Upload calls a pipeline node with the messages of a source, which are sent as they are read.
// Each iteration over the result sends a request, which is not retried. A source that blocks
// can outlast the iteration until its next message.
func (n *Node[In, Out]) Upload(ctx context.Context, connection *Connection, inputs iter.Seq2[In, error], options []svc.Option) iter.Seq2[Out, error] {
	return func(yield func(Out, error) bool) {
		lines, err := newInputLines(n.input, inputs)
		if err != nil {
			var none Out
			yield(none, err)
			return
		}
		defer lines.end()
		stream := &frameStream[Out]{output: n.output, failure: svc.ErrNodeFailed, inputs: lines}
		stream.run(ctx, connection, options, nil, yield, &request{
			path:   n.path,
			stream: &openStream{lines: lines},
		})
	}
}

// runSeconds rounds up, so that the service does not give up before the SDK.
func runSeconds(left time.Duration) int64 {
	return max(1, int64((min(left, longestRun)+time.Second-1)/time.Second))
}

// streamedInput is the streamed input of a request, implemented by [inputLines].
type streamedInput interface {
	complete() bool
	sent() int64
	err() error
}

// frameStream reads the frames of a stream.
type frameStream[Out any] struct {
	output protojson.Codec[Out]
	// failure is the kind of the error that the last frame may report.
	failure svc.Kind
	// inputs is the streamed input, or nil.
	inputs   streamedInput
	call     *call
	response *response
	parser   eventParser
	isEnded  bool
}

// run sends the request and yields the messages, followed by the error, if any. invalid is the
// error of encoding the input, or nil.
func (s *frameStream[Out]) run(
	ctx context.Context, connection *Connection, options []svc.Option, invalid error,
	yield func(Out, error) bool, request *request,
) {
	var none Out
	call, end, err := connection.beginStream(ctx, options)
	if err != nil {
		yield(none, err)
		return
	}
	defer end()
	if invalid != nil {
		yield(none, invalid)
		return
	}
	if s.inputs != nil {
		// The source can be read only once, so the request cannot be retried.
		call.MaxRetries, call.AttemptTimeout = 0, 0
	}
	s.call = call
	if err := s.open(request); err != nil {
		yield(none, err)
		return
	}
	defer request.stream.close()
	if err := s.read(request.stream, yield); err != nil {
		yield(none, s.inputFailure(err))
	}
}

// inputFailure returns the error of its source, if any, or else of the request. If the call has
// ended, the error of the request takes precedence, because the source may have failed as a
// result.
func (c *call) inputFailure(source, request error) error {
	if source == nil || request != nil && c.ctx.Err() != nil {
		return request
	}
	return source
}

// inputFailure returns the error of the streamed input, if any, or else of the stream.
func (s *frameStream[Out]) inputFailure(failure error) error {
	if s.inputs == nil {
		return failure
	}
	return s.call.inputFailure(s.inputs.err(), failure)
}

func (s *frameStream[Out]) open(request *request) error {
	request.method = http.MethodPost
	if request.stream == nil {
		request.stream = &openStream{}
	}
	response, err := s.call.exchange(request)
	if err != nil {
		return s.inputFailure(err)
	}
	if request.stream.body == nil {
		return invalidResponse(response, "not an event stream", nil)
	}
	s.response = response
	return nil
}

// read yields the messages until the last frame. It logs and returns the error of the stream,
// or nil if the stream has ended or the caller stopped it.
func (s *frameStream[Out]) read(body io.Reader, yield func(Out, error) bool) error {
	err := s.readFrames(body, yield)
	s.call.logStream(s.response, err)
	return err
}

func (s *frameStream[Out]) readFrames(body io.Reader, yield func(Out, error) bool) error {
	s.parser = eventParser{}
	var failure error
	buffer := make([]byte, 32<<10)
	for {
		count, err := body.Read(buffer)
		goesOn := s.parser.feed(buffer[:count], func(data []byte) bool {
			if ending := s.call.ending(s.call.ctx); ending != nil {
				failure = s.response.named(ending)
				return false
			}
			message, isMessage, err := s.frame(data)
			if isMessage && !yield(message, nil) {
				return false
			}
			if err == nil && s.isEnded {
				err = s.checkEnd(data)
			}
			failure = err
			return err == nil && !s.isEnded
		})
		if s.parser.isTooLong {
			return invalidResponse(s.response, tooLong, nil)
		}
		if !goesOn {
			return failure
		}
		if err != nil {
			return s.interruption(err)
		}
	}
}

// frame decodes a frame and reports whether it contains a message.
func (s *frameStream[Out]) frame(data []byte) (Out, bool, error) {
	var none Out
	frame := s.frameResponse(data)
	fields, err := objectOf(frame)
	if err != nil {
		return none, false, err
	}
	if s.response.ExecutionID == "" {
		s.response.ExecutionID = fields.text("execution_id")
		frame.ExecutionID = s.response.ExecutionID
		if s.call.Response != nil {
			s.call.Response.ExecutionID = s.response.ExecutionID
		}
	}
	s.isEnded = string(fields["is_final"]) == "true"
	payload, hasPayload := fields["payload"]
	switch {
	case hasPayload:
		message, err := readOutput(s.output, payload, frame)
		return message, err == nil, err
	case s.isEnded:
		return none, false, nil
	}
	index := cmp.Or(string(fields["frame_index"]), "without a number")
	return none, false, invalidResponse(frame, "frame "+index+" has no payload", nil)
}

// frameResponse returns the response with a frame as its body, for errors about the frame.
func (s *frameStream[Out]) frameResponse(data []byte) *response {
	frame := *s.response
	frame.Body = bytes.Clone(data)
	return &frame
}

// checkEnd returns the error of the last frame, or nil.
func (s *frameStream[Out]) checkEnd(data []byte) error {
	frame := s.frameResponse(data)
	fields, err := objectOf(frame)
	if err != nil {
		return err
	}
	if string(fields["success"]) != "true" {
		reason := fields.text("error")
		if reason == "" {
			reason = "no error message"
		}
		return frame.failure(s.failure, reason+frame.runAndRequest(), nil)
	}
	if s.inputs == nil {
		return nil
	}
	return checkInput(s.inputs, fields, frame)
}

// checkInput returns the error for a streamed input that the service did not receive
// completely, or nil. fields are those of the response that ends the request.
func checkInput(inputs streamedInput, fields object, response *response) error {
	// The order matters: the count is final once the input is complete.
	isComplete, sent := inputs.complete(), inputs.sent()
	received := string(fields["input_frames"])
	message := "the service ended the request before the input had ended"
	if received != strconv.FormatInt(sent, 10) {
		message = fmt.Sprintf("the service received %s of %d input messages", cmp.Or(received, "an unknown number"), sent)
	} else if isComplete {
		return nil
	}
	return response.failure(svc.ErrStreamInterrupted, message+response.runAndRequest(), nil)
}

func (s *frameStream[Out]) interruption(err error) error {
	failure := s.call.timeout(s.call.ctx, err)
	if failure == nil {
		reason := "there was no last frame"
		if err != io.EOF {
			reason = s.response.apiKey.RedactError(err).Error()
		}
		return s.response.failure(svc.ErrStreamInterrupted, "the stream was cut off: "+reason+s.response.runAndRequest(), err)
	}
	return s.response.named(failure)
}
