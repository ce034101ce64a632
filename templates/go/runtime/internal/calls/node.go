package calls

import (
	"context"
	"time"

	"svc.runtime/internal/protojson"
	"svc.runtime/svc"
)

// Node describes a node. Generated clients call it.
type Node[In, Out any] struct {
	path   string
	input  protojson.Codec[In]
	output protojson.Codec[Out]
}

// NewNode returns the description of a node. path is relative to the base URL.
func NewNode[In, Out any](path string, input protojson.Codec[In], output protojson.Codec[Out]) *Node[In, Out] {
	return &Node[In, Out]{path: path, input: input, output: output}
}

// Call calls the node.
func (n *Node[In, Out]) Call(ctx context.Context, connection *Connection, input In, options []svc.Option) (Out, error) {
	var none Out
	call, end, err := connection.begin(ctx, options)
	if err != nil {
		return none, err
	}
	defer end()
	body, err := n.input.Marshal(input)
	if err != nil {
		return none, err
	}
	response, err := call.post(n.path, func(time.Duration) []byte { return body })
	if err != nil {
		return none, err
	}
	return readOutput(n.output, response.Body, response)
}

// readOutput decodes the output in a response.
func readOutput[Out any](codec protojson.Codec[Out], data []byte, response *response) (Out, error) {
	output, err := codec.Unmarshal(data)
	if err != nil {
		// The error of the codec has the kind ErrMessage, which is reserved for inputs that are
		// not sent.
		return output, invalidResponse(response, protojson.Text(err), nil)
	}
	return output, nil
}
