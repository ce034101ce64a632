package svc

import "iter"

// Inputs turns messages that cannot fail into a streamed input:
//
//	client.UploadLines(ctx, svc.Inputs(slices.Values(lines)))
//
// A streamed input can yield errors. The first one ends the request and is the error of the
// call. The input is read in its own goroutine; a panic there is raised again by the call, as
// an [*InputPanic].
func Inputs[In any](messages iter.Seq[In]) iter.Seq2[In, error] {
	if messages == nil {
		return nil
	}
	return func(yield func(In, error) bool) {
		for message := range messages {
			if !yield(message, nil) {
				return
			}
		}
	}
}
