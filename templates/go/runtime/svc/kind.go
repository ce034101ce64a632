package svc

import "context"

// Kind classifies errors. Kinds work with errors.Is:
//
//	if errors.Is(err, svc.ErrRateLimited) {
//		...
//	}
//
// A kind includes narrower kinds, as documented at the constants: an [ErrQuotaExceeded] error
// is also [ErrRateLimited] and [ErrStatus]. In a switch, test narrower kinds first.
type Kind string

// Kinds of errors. Every error of this SDK is an [*APIError] with one of these kinds, except
// for an error of a streamed input, which the call returns unchanged.
const (
	// ErrConfiguration: a client or call option is missing or malformed. No request
	// was sent.
	ErrConfiguration Kind = "invalid configuration"
	// ErrMessage: a message cannot be encoded as, or decoded from, ProtoJSON. No
	// request was sent, except for the messages before it in a streamed input.
	ErrMessage Kind = "invalid message"
	// ErrCanceled: the context of the call was canceled. It also matches context.Canceled.
	ErrCanceled Kind = "canceled"
	// ErrTimedOut: the call, including retries, did not complete within its timeout or before
	// the deadline of its context, or its last attempt exceeded the timeout of attempts or of
	// the HTTP client. It also matches context.DeadlineExceeded. If an earlier attempt failed,
	// the message and LastFailure say how. It includes [ErrWaitTimedOut].
	ErrTimedOut Kind = "timed out"
	// ErrWaitTimedOut: the run of a flow did not end in time, and may still be running. If
	// the last poll of the run failed, LastFailure says why.
	ErrWaitTimedOut Kind = "wait timed out"
	// ErrConnection: the service is unreachable, or the connection was lost. It includes
	// [ErrInterruptedResponse].
	ErrConnection Kind = "connection failed"
	// ErrInterruptedResponse: the connection was lost while reading the response. It includes
	// [ErrStreamInterrupted].
	ErrInterruptedResponse Kind = "response interrupted"
	// ErrStreamInterrupted: a stream ended before its last frame, or the service did not
	// receive the whole input. The messages received so far are valid.
	ErrStreamInterrupted Kind = "stream interrupted"
	// ErrInvalidResponse: a successful response is not valid JSON for the return type, opens
	// no WebSocket, or is longer than 256 MiB, or a message of a stream is longer than 64 MiB.
	ErrInvalidResponse Kind = "invalid response"
	// ErrFlowFailed: the run of a flow failed or was canceled.
	ErrFlowFailed Kind = "flow failed"
	// ErrFlowPaused: the run of a flow waits for a decision; see Execution.Resume.
	ErrFlowPaused Kind = "flow paused"
	// ErrIdempotencyMismatch: the idempotency key belongs to an earlier request that differs
	// from this one. ExecutionID is the run of that request. This call started nothing.
	ErrIdempotencyMismatch Kind = "idempotency mismatch"

	// ErrStatus: the service returned an error status. It includes all kinds below.
	ErrStatus Kind = "error status"
	// ErrBadRequest: 400, the request is invalid.
	ErrBadRequest Kind = "bad request"
	// ErrUnauthorized: 401, the API key is missing, invalid, expired or revoked.
	ErrUnauthorized Kind = "unauthorized"
	// ErrForbidden: 403, the API key lacks permission. It includes [ErrTenantSuspended] and
	// [ErrAppKeyGraphDenied].
	ErrForbidden Kind = "forbidden"
	// ErrTenantSuspended: 403, the tenant is suspended.
	ErrTenantSuspended Kind = "tenant suspended"
	// ErrAppKeyGraphDenied: 403, the app key does not cover this flow.
	ErrAppKeyGraphDenied Kind = "app key graph denied"
	// ErrNotFound: 404, the resource does not exist or is not deployed.
	ErrNotFound Kind = "not found"
	// ErrPayloadTooLarge: 413, the input exceeds the size limit of the service.
	ErrPayloadTooLarge Kind = "payload too large"
	// ErrNodeFailed: 422, the node returned an error.
	ErrNodeFailed Kind = "node failed"
	// ErrRateLimited: 429, too many requests. It includes [ErrQuotaExceeded].
	ErrRateLimited Kind = "rate limited"
	// ErrQuotaExceeded: 429, a daily quota is exhausted until midnight UTC.
	ErrQuotaExceeded Kind = "quota exceeded"
	// ErrServer: 5xx, the service failed. It includes [ErrUpstreamUnavailable].
	ErrServer Kind = "server error"
	// ErrUpstreamUnavailable: 502, 503 or 504, a dependency of the service is
	// temporarily unavailable.
	ErrUpstreamUnavailable Kind = "upstream unavailable"
)

// Error returns the text of the kind, such as "svc: rate limited".
func (k Kind) Error() string { return prefix + string(k) }

// widerKinds maps each kind to the kind that includes it.
var widerKinds = map[Kind]Kind{
	ErrWaitTimedOut:        ErrTimedOut,
	ErrInterruptedResponse: ErrConnection,
	ErrStreamInterrupted:   ErrInterruptedResponse,
	ErrBadRequest:          ErrStatus,
	ErrUnauthorized:        ErrStatus,
	ErrForbidden:           ErrStatus,
	ErrTenantSuspended:     ErrForbidden,
	ErrAppKeyGraphDenied:   ErrForbidden,
	ErrNotFound:            ErrStatus,
	ErrPayloadTooLarge:     ErrStatus,
	ErrNodeFailed:          ErrStatus,
	ErrRateLimited:         ErrStatus,
	ErrQuotaExceeded:       ErrRateLimited,
	ErrServer:              ErrStatus,
	ErrUpstreamUnavailable: ErrServer,
}

// Is reports whether the target is this kind, a wider one, or the error of package context that
// this kind matches. The last case is for the errors of fakes, which do not wrap a context
// error.
func (k Kind) Is(target error) bool {
	switch target {
	case context.Canceled:
		return k == ErrCanceled
	case context.DeadlineExceeded:
		target = ErrTimedOut
	}
	wanted, ok := target.(Kind)
	for kind := k; ok && kind != ""; kind = widerKinds[kind] {
		if kind == wanted {
			return true
		}
	}
	return false
}
