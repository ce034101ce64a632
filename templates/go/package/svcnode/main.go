package svcnode

import (
	"context"
	"crypto/subtle"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"syscall"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// Inputs can have up to 16 MiB; gRPC allows 4 MiB by default.
const maxMessageBytes = 20 * 1024 * 1024

// NewServer returns a gRPC server with the container. It fails if a node has no handler, if a
// handler has no node, or if the messages of a handler differ from those in package.yaml.
//
// An empty token accepts all calls. NewServer fails for a token that no deployment can have.
func NewServer(
	packageYAML []byte, token string, nodes []Node, options ...grpc.ServerOption,
) (*grpc.Server, error) {
	made, err := newContainer(packageYAML, nodes)
	if err != nil {
		return nil, err
	}
	options = append(options,
		grpc.MaxRecvMsgSize(maxMessageBytes), grpc.MaxSendMsgSize(maxMessageBytes))
	if token != "" {
		if err := requireValid(token, "the token"); err != nil {
			return nil, err
		}
		options = append(options,
			grpc.UnaryInterceptor(func(
				ctx context.Context, request any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler,
			) (any, error) {
				if err := checkToken(ctx, token); err != nil {
					return nil, err
				}
				return next(ctx, request)
			}),
			grpc.StreamInterceptor(func(
				srv any, stream grpc.ServerStream, _ *grpc.StreamServerInfo, next grpc.StreamHandler,
			) error {
				if err := checkToken(stream.Context(), token); err != nil {
					return err
				}
				return next(srv, stream)
			}))
	}
	server := grpc.NewServer(options...)
	server.RegisterService(made.service(), nil)
	return server, nil
}

func checkToken(ctx context.Context, token string) error {
	incoming, _ := metadata.FromIncomingContext(ctx)
	given := incoming.Get("authorization")
	if len(given) == 0 {
		return status.Error(codes.Unauthenticated, "the call has no token")
	}
	// The comparison takes constant time, so that the time of a refusal reveals nothing about
	// the token.
	if subtle.ConstantTimeCompare([]byte(given[0]), []byte("Bearer "+token)) != 1 {
		return status.Error(codes.Unauthenticated,
			"the token of the call is not the one of this container")
	}
	return nil
}

// Main serves with the options of the command line until SIGTERM or SIGINT. It prints the
// endpoint to stdout. Calls in flight complete before the process exits.
func Main(packageYAML []byte, nodes ...Node) {
	if err := run(packageYAML, nodes); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(packageYAML []byte, nodes []Node) error {
	port := flag.String("port", "0", "port to listen on; 0 for a free port")
	host := flag.String("host", "127.0.0.1", "address to listen on")
	certificate := flag.String("tls-cert", "", "PEM file with the certificate chain")
	key := flag.String("tls-key", "", "PEM file with the private key of the certificate")
	tokenFile := flag.String("token-file", "",
		"file with the token of calls (default: SVC_NODE_TOKEN, or none)")
	flag.Parse()
	token, err := readToken(*tokenFile)
	if err != nil {
		return err
	}
	scheme := "grpc"
	var options []grpc.ServerOption
	if (*certificate == "") != (*key == "") {
		return errors.New("--tls-cert and --tls-key belong together: give both")
	}
	if *certificate != "" {
		files, err := credentials.NewServerTLSFromFile(*certificate, *key)
		if err != nil {
			return fmt.Errorf("the TLS certificate and key cannot be used: %w", err)
		}
		scheme, options = "grpcs", append(options, grpc.Creds(files))
	}
	server, err := NewServer(packageYAML, token, nodes, options...)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(*host, *port))
	if err != nil {
		return err
	}
	stopped, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer cancel()
	context.AfterFunc(stopped, server.GracefulStop)
	fmt.Printf("%s://%s\n", scheme, listener.Addr())
	return server.Serve(listener)
}

func readToken(file string) (string, error) {
	if file == "" {
		return tokenOfEnvironment()
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("--token-file: %w", err)
	}
	token := strings.TrimRight(string(data), "\r\n")
	return token, requireValid(token, "the token in "+file)
}

func tokenOfEnvironment() (string, error) {
	token, set := os.LookupEnv("SVC_NODE_TOKEN")
	if !set {
		return "", nil
	}
	// An empty variable must not open the container to all callers.
	if token == "" {
		return "", errors.New("SVC_NODE_TOKEN is empty: set it to the token, or unset it")
	}
	return token, requireValid(token, "SVC_NODE_TOKEN")
}

var tokenForm = regexp.MustCompile(`^[A-Za-z0-9\-._~+/]+=*$`)

// requireValid rejects a token that no deployment can have. The error says where the token
// comes from, but does not contain it.
func requireValid(token, what string) error {
	if len(token) >= 16 && len(token) <= 512 && tokenForm.MatchString(token) {
		return nil
	}
	return fmt.Errorf("%s is invalid (it must have 16 to 512 letters, digits and -._~+/, "+
		"with = at the end only): make one, for example with openssl rand -hex 32", what)
}
