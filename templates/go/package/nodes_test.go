package main

import (
	"errors"
	"iter"
	"slices"
	"testing"

	"greeter/messages"
	"greeter/svcnode"
)

func TestGreetsByName(t *testing.T) {
	ctx, sent := svcnode.Recording(t.Context())
	reply, err := greet(ctx, &messages.GreetRequest{Name: "Ada"})
	if err != nil || reply.GetText() != "Hello, Ada!" {
		t.Fatalf("got %v, %v", reply, err)
	}
	if len(*sent) != 1 || (*sent)[0].GetLog().GetLevel() != "info" {
		t.Fatalf("sent %v", *sent)
	}
}

func TestRejectsEmptyName(t *testing.T) {
	ctx, _ := svcnode.Recording(t.Context())
	_, err := greet(ctx, &messages.GreetRequest{})
	var failure *svcnode.Failure
	if !errors.As(err, &failure) || failure.Retryable || err.Error() != "name must not be empty" {
		t.Fatalf("got %v", err)
	}
}

func TestGreetsEachPersonInStream(t *testing.T) {
	ctx, _ := svcnode.Recording(t.Context())
	var texts []string
	for reply, err := range greetAll(ctx, people("Ada", "Grace")) {
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, reply.GetText())
	}
	if !slices.Equal(texts, []string{"Hello, Ada!", "Hello, Grace!"}) {
		t.Fatalf("got %v", texts)
	}
}

func TestAsksHumanForMissingName(t *testing.T) {
	ctx, _ := svcnode.Recording(t.Context())
	_, err := welcome(ctx, &messages.GreetRequest{})
	var pause *svcnode.Pause
	if !errors.As(err, &pause) {
		t.Fatalf("got %v", err)
	}
}

func people(names ...string) iter.Seq2[*messages.GreetRequest, error] {
	return func(yield func(*messages.GreetRequest, error) bool) {
		for _, name := range names {
			if !yield(&messages.GreetRequest{Name: name}, nil) {
				return
			}
		}
	}
}
