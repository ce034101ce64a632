package svc

// Kind classifies errors. Kinds work with errors.Is:
//
//	if errors.Is(err, svc.ErrRateLimited) {
//		...
//	}
//
// Kinds include narrower kinds, as the constants say: an [ErrQuotaExceeded] error is also
// [ErrRateLimited] and [ErrStatus]. In a switch, test narrower kinds first, and
// [ErrWaitTimedOut] before all others.
type Kind string

// Kinds of errors. Every error of this SDK is an [*APIError] with one of these kinds, except
// for an error of a streamed input, which the call returns as it is.
const (
	// ErrConfiguration: a client or call option is missing or malformed. No request
	// was sent.
	ErrConfiguration Kind = "ConfigurationError"
	// ErrMessage: a message cannot be encoded as, or decoded from, ProtoJSON. No
	// request was sent, except for the messages before it in a streamed input.
	ErrMessage Kind = "MessageError"
	// ErrCanceled: the context of the call was canceled.
	ErrCanceled Kind = "CanceledError"
	// ErrTimedOut: the call, including retries, did not complete within its timeout or before
	// the deadline of its context, or its last attempt not within the timeout of attempts or of
	// the HTTP client. It also matches context.DeadlineExceeded. Its message says how an
	// earlier attempt failed, if one did. It includes [ErrWaitTimedOut].
	ErrTimedOut Kind = "TimedOutError"
	// ErrWaitTimedOut: the run of a flow did not end in time, and may still be running. If
	// the last look at the run failed, the error also matches the kind of that failure, such
	// as ErrConnection or ErrServer.
	ErrWaitTimedOut Kind = "WaitTimedOutError"
	// ErrConnection: the service is unreachable, or the connection was lost. It includes
	// [ErrInterruptedResponse].
	ErrConnection Kind = "ConnectionError"
	// ErrInterruptedResponse: the connection was lost while reading the response. It includes
	// [ErrStreamInterrupted].
	ErrInterruptedResponse Kind = "InterruptedResponseError"
	// ErrStreamInterrupted: a stream ended before its last frame, or the service did not
	// receive the whole input. The messages until then are valid.
	ErrStreamInterrupted Kind = "StreamInterruptedError"
	// ErrInvalidResponse: a successful response is not valid JSON for the return type, opens
	// no WebSocket, or is longer than 256 MiB, or a message of a stream is longer than 64 MiB.
	ErrInvalidResponse Kind = "InvalidResponseError"
	// ErrFlowFailed: the run of a flow failed or was canceled.
	ErrFlowFailed Kind = "FlowFailedError"
	// ErrFlowPaused: the run of a flow waits for a decision; see Execution.Resume.
	ErrFlowPaused Kind = "FlowPausedError"
	// ErrIdempotencyMismatch: the idempotency key belongs to an earlier request that differs
	// from this one. ExecutionID is the run of that request. This call has started nothing.
	ErrIdempotencyMismatch Kind = "IdempotencyMismatchError"

	// ErrStatus: the service returned an error status. It includes all kinds below.
	ErrStatus Kind = "StatusError"
	// ErrBadRequest: 400, the request is invalid.
	ErrBadRequest Kind = "BadRequestError"
	// ErrUnauthorized: 401, the API key is missing, invalid, expired or revoked.
	ErrUnauthorized Kind = "UnauthorizedError"
	// ErrForbidden: 403, the API key lacks permission. It includes [ErrTenantSuspended] and
	// [ErrAppKeyGraphDenied].
	ErrForbidden Kind = "ForbiddenError"
	// ErrTenantSuspended: 403, the tenant is suspended.
	ErrTenantSuspended Kind = "TenantSuspendedError"
	// ErrAppKeyGraphDenied: 403, the app key does not cover this flow.
	ErrAppKeyGraphDenied Kind = "AppKeyGraphDeniedError"
	// ErrNotFound: 404, the resource does not exist or is not deployed.
	ErrNotFound Kind = "NotFoundError"
	// ErrPayloadTooLarge: 413, the input exceeds the size limit of the service.
	ErrPayloadTooLarge Kind = "PayloadTooLargeError"
	// ErrNodeFailed: 422, the node returned an error.
	ErrNodeFailed Kind = "NodeFailedError"
	// ErrRateLimited: 429, too many requests. It includes [ErrQuotaExceeded].
	ErrRateLimited Kind = "RateLimitedError"
	// ErrQuotaExceeded: 429, a daily quota is exhausted until midnight UTC.
	ErrQuotaExceeded Kind = "QuotaExceededError"
	// ErrServer: 5xx, the service failed. It includes [ErrUpstreamUnavailable].
	ErrServer Kind = "ServerError"
	// ErrUpstreamUnavailable: 502, 503 or 504, a dependency of the service is
	// temporarily unavailable.
	ErrUpstreamUnavailable Kind = "UpstreamUnavailableError"
)

// Error returns the name of the kind after "svc: ", such as "svc: RateLimitedError".
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

// Is reports whether the target is this kind or a wider one.
func (k Kind) Is(target error) bool {
	wanted, ok := target.(Kind)
	for kind := k; ok && kind != ""; kind = widerKinds[kind] {
		if kind == wanted {
			return true
		}
	}
	return false
}
