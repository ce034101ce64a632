package svc

// Kind tells one failure from another. Kinds are errors, so that errors.Is finds
// them, and those of a narrower kind too: a failure that is [ErrQuotaExceeded] is
// [ErrRateLimited] and [ErrStatus] as well.
//
//	if errors.Is(err, svc.ErrRateLimited) {
//		...
//	}
type Kind string

// What may go wrong. Every failure of this SDK is an [*APIError] of one of these.
const (
	// ErrConfiguration: the client or the call is set up wrongly; nothing was sent.
	ErrConfiguration Kind = "ConfigurationError"
	// ErrMessage: a message does not fit its type, or a text is not its JSON;
	// nothing was sent.
	ErrMessage Kind = "MessageError"
	// ErrCanceled: the context of the call was canceled.
	ErrCanceled Kind = "CanceledError"
	// ErrTimedOut: the call, its retries included, took longer than it may.
	ErrTimedOut Kind = "TimedOutError"
	// ErrWaitTimedOut: the run of a flow had not ended in time; it runs on.
	ErrWaitTimedOut Kind = "WaitTimedOutError"
	// ErrConnection: the service could not be reached, or the connection broke.
	ErrConnection Kind = "ConnectionError"
	// ErrInterruptedAnswer: the connection broke in the middle of the answer.
	ErrInterruptedAnswer Kind = "InterruptedAnswerError"
	// ErrInvalidAnswer: a successful answer is not what the call returns.
	ErrInvalidAnswer Kind = "InvalidAnswerError"
	// ErrFlowFailed: the run of a flow failed or was cancelled.
	ErrFlowFailed Kind = "FlowFailedError"
	// ErrFlowPaused: the run of a flow waits for a decision.
	ErrFlowPaused Kind = "FlowPausedError"

	// ErrStatus: the service refused the call; any status that is not 2xx.
	ErrStatus Kind = "StatusError"
	// ErrBadRequest: 400, the request does not fit what is called.
	ErrBadRequest Kind = "BadRequestError"
	// ErrUnauthorized: 401, the key is missing, unknown, expired or revoked.
	ErrUnauthorized Kind = "UnauthorizedError"
	// ErrForbidden: 403, the key may not do this.
	ErrForbidden Kind = "ForbiddenError"
	// ErrTenantSuspended: 403, the operator has suspended the tenant.
	ErrTenantSuspended Kind = "TenantSuspendedError"
	// ErrAppKeyGraphDenied: 403, the app key was not made for this flow.
	ErrAppKeyGraphDenied Kind = "AppKeyGraphDeniedError"
	// ErrNotFound: 404, unknown to this tenant, or not deployed.
	ErrNotFound Kind = "NotFoundError"
	// ErrPayloadTooLarge: 413, the input is larger than the service takes.
	ErrPayloadTooLarge Kind = "PayloadTooLargeError"
	// ErrNodeFailed: 422, the node itself returned an error.
	ErrNodeFailed Kind = "NodeFailedError"
	// ErrRateLimited: 429, too many requests in a short time.
	ErrRateLimited Kind = "RateLimitedError"
	// ErrQuotaExceeded: 429, a daily quota is used up until midnight UTC.
	ErrQuotaExceeded Kind = "QuotaExceededError"
	// ErrServer: 5xx, the service failed.
	ErrServer Kind = "ServerError"
	// ErrUpstreamUnavailable: 502, 503 or 504, something that the service needs is
	// down, usually for a moment.
	ErrUpstreamUnavailable Kind = "UpstreamUnavailableError"
)

// Error gives the name of the kind: "RateLimitedError".
func (k Kind) Error() string { return string(k) }

// widerKinds names for each kind the one that includes it.
var widerKinds = map[Kind]Kind{
	ErrWaitTimedOut:        ErrTimedOut,
	ErrInterruptedAnswer:   ErrConnection,
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

// Is tells whether the target is this kind or a wider one.
func (k Kind) Is(target error) bool {
	wanted, ok := target.(Kind)
	for kind := k; ok && kind != ""; kind = widerKinds[kind] {
		if kind == wanted {
			return true
		}
	}
	return false
}
