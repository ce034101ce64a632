// Package svcnode hosts handlers as a node container of svc (svc.node.v1).
package svcnode

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"runtime/debug"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"greeter/svcnode/protocol"
)

// container serves the methods Invoke, Stream, Warm and Describe.
type container struct {
	declared    declaration
	nodes       map[string]Node
	description *protocol.DescribeResponse
}

func newContainer(packageYAML []byte, nodes []Node) (*container, error) {
	declared, err := readDeclaration(packageYAML)
	if err != nil {
		return nil, err
	}
	byName := map[string]Node{}
	for _, node := range nodes {
		byName[node.name] = node
	}
	if err := declared.check(byName); err != nil {
		return nil, err
	}
	description, err := declared.describe(byName)
	if err != nil {
		return nil, err
	}
	return &container{declared, byName, description}, nil
}

func (c *container) invoke(request *protocol.InvokeRequest, stream grpc.ServerStream) error {
	node, err := c.find(request.GetContext(), "unary")
	if err != nil {
		return err
	}
	send := sender(stream)
	ctx, err := contextOf(stream.Context(), request.GetContext(), node, send)
	if err != nil {
		return err
	}
	var output []byte
	err = guarded(ctx, func() error {
		output, err = node.unary(ctx, request.GetInput())
		return err
	})
	if err != nil {
		return end(err, send)
	}
	return send(&protocol.NodeMessage{Kind: &protocol.NodeMessage_Output{Output: output}})
}

func (c *container) stream(stream grpc.ServerStream) error {
	first := &protocol.StreamRequest{}
	if err := stream.RecvMsg(first); err != nil {
		return err
	}
	if first.GetStart() == nil {
		return status.Error(codes.InvalidArgument, "the first message of a stream is its start")
	}
	node, err := c.find(first.GetStart(), "pipeline")
	if err != nil {
		return err
	}
	send := sender(stream)
	ctx, err := contextOf(stream.Context(), first.GetStart(), node, send)
	if err != nil {
		return err
	}
	err = guarded(ctx, func() error {
		return node.pipeline(ctx, framesOf(stream), func(frame []byte) error {
			return send(&protocol.NodeMessage{Kind: &protocol.NodeMessage_Frame{Frame: frame}})
		})
	})
	if err != nil {
		return end(err, send)
	}
	return send(&protocol.NodeMessage{Kind: &protocol.NodeMessage_Done{Done: &protocol.Done{}}})
}

func framesOf(stream grpc.ServerStream) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for {
			request := &protocol.StreamRequest{}
			err := stream.RecvMsg(request)
			if errors.Is(err, io.EOF) {
				return
			}
			if !yield(request.GetFrame(), err) || err != nil {
				return
			}
		}
	}
}

// find returns the node of a call.
func (c *container) find(call *protocol.CallContext, mode string) (Node, error) {
	name, version := call.GetPackageName(), call.GetPackageVersion()
	// Earlier releases of the service do not name the package.
	if (name != "" || version != "") && (name != c.declared.Name || version != c.declared.Version) {
		return Node{}, status.Errorf(codes.FailedPrecondition,
			"this container serves %s %s, not %s %s: call that version, or deploy each at a container of its own",
			c.declared.Name, c.declared.Version, name, version)
	}
	node, ok := c.nodes[call.GetNode()]
	if !ok {
		return Node{}, status.Errorf(codes.NotFound, "there is no node %q here", call.GetNode())
	}
	if node.mode != mode {
		return Node{}, status.Errorf(codes.Unimplemented, "%s is a %s node", node.name, node.mode)
	}
	return node, nil
}

// end sends the error of a handler as a message, or returns that of a call that does not match
// the package.
func end(err error, send func(*protocol.NodeMessage) error) error {
	var refused refusal
	if errors.As(err, &refused) {
		return status.Error(codes.InvalidArgument, refused.Error())
	}
	return send(endingOf(err))
}

// guarded turns a panic of a handler into an error, so that other calls continue. It reports
// unexpected errors.
func guarded(ctx *Context, work func() error) (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("the handler panicked: %v", reason)
			report(ctx, fmt.Sprintf("%v\n%s", err, debug.Stack()))
		}
	}()
	err = work()
	// The methods of an error may panic, too.
	if isUnexpected(err) && ctx.Err() == nil {
		report(ctx, textOf(err))
	}
	return err
}

// report prints a failure of a handler for its author.
func report(ctx *Context, text string) {
	fmt.Fprintf(os.Stderr, "%s failed in execution %s: %s\n", ctx.Node, ctx.ExecutionID, text)
}

// isUnexpected reports whether an error is neither one that a handler returns to its caller nor
// that of a call that does not match the package.
func isUnexpected(err error) bool {
	var failure *Failure
	var pause *Pause
	var refused refusal
	return err != nil &&
		!errors.As(err, &failure) && !errors.As(err, &pause) && !errors.As(err, &refused)
}

// sender returns a function with which handlers can send from several goroutines.
func sender(stream grpc.ServerStream) func(*protocol.NodeMessage) error {
	var mutex sync.Mutex
	return func(message *protocol.NodeMessage) error {
		mutex.Lock()
		defer mutex.Unlock()
		return stream.SendMsg(message)
	}
}

func (c *container) service() *grpc.ServiceDesc {
	return &grpc.ServiceDesc{
		ServiceName: "svc.node.v1.NodeContainer",
		Methods: []grpc.MethodDesc{
			answering("Warm", &protocol.WarmRequest{}, &protocol.WarmResponse{}),
			answering("Describe", &protocol.DescribeRequest{}, c.description),
		},
		Streams: []grpc.StreamDesc{
			{
				StreamName:    "Invoke",
				ServerStreams: true,
				Handler: func(_ any, stream grpc.ServerStream) error {
					request := &protocol.InvokeRequest{}
					if err := stream.RecvMsg(request); err != nil {
						return err
					}
					return c.invoke(request, stream)
				},
			},
			{
				StreamName:    "Stream",
				ServerStreams: true,
				ClientStreams: true,
				Handler:       func(_ any, stream grpc.ServerStream) error { return c.stream(stream) },
			},
		},
	}
}

// answering describes a method that gives the same answer to all requests.
func answering(name string, request, answer any) grpc.MethodDesc {
	info := &grpc.UnaryServerInfo{FullMethod: "/svc.node.v1.NodeContainer/" + name}
	handle := func(context.Context, any) (any, error) { return answer, nil }
	return grpc.MethodDesc{
		MethodName: name,
		Handler: func(
			_ any, ctx context.Context, _ func(any) error, intercept grpc.UnaryServerInterceptor,
		) (any, error) {
			if intercept == nil {
				return handle(ctx, request)
			}
			return intercept(ctx, request, info, handle)
		},
	}
}
