package svc

import "iter"

// Inputs returns messages that cannot fail as a streamed input:
//
//	client.UploadLines(ctx, svc.Inputs(slices.Values(lines)))
//
// A streamed input can have errors. The first one ends the request and is the error of
// the call.
func Inputs[In any](messages iter.Seq[In]) iter.Seq2[In, error] {
	return func(yield func(In, error) bool) {
		for message := range messages {
			if !yield(message, nil) {
				return
			}
		}
	}
}
