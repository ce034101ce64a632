/** What is known of an answer, or of the lack of one, when a call fails. */
export interface ErrorDetails {
  /** HTTP status of the answer. */
  status?: number | undefined;
  /** Headers of the answer by lower-case name. */
  headers?: Readonly<Record<string, string>>;
  /** Body of the answer: parsed when it is JSON, text otherwise. */
  body?: unknown;
  /** Id under which the service recorded the execution. */
  executionId?: string | undefined;
  /** How long the service asks to wait before another try, in milliseconds. */
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/** Every error of this package. Nothing of it ever holds the API key. */
export class SvcError extends Error {
  override readonly name: string = "SvcError";
  /** HTTP status; undefined when there was no answer. */
  declare readonly status: number | undefined;
  /** Headers of the answer by lower-case name; empty when there was none. */
  readonly headers: Readonly<Record<string, string>> = {};
  /** Body of the answer: parsed when it is JSON, text otherwise. */
  declare readonly body: unknown;
  /** Id under which the service recorded the execution, when it says one. */
  declare readonly executionId: string | undefined;
  /** How long the service asks to wait before another try, in milliseconds. */
  declare readonly retryAfterMs: number | undefined;

  constructor(message: string, details?: ErrorDetails) {
    super(message, details);
    Object.assign(this, details);
  }
}

/** The client or the call is set up wrongly; nothing was sent. */
export class ConfigurationError extends SvcError {
  override readonly name: string = "ConfigurationError";
}

/** A value does not fit its message; nothing was sent. */
export class ValueError extends SvcError {
  override readonly name: string = "ValueError";
}

/** The caller's AbortSignal ended the call; its reason is the `cause`. */
export class AbortedError extends SvcError {
  override readonly name: string = "AbortedError";
}

/** The call did not end within its `timeoutMs`. */
export class TimedOutError extends SvcError {
  override readonly name: string = "TimedOutError";
}

/** The service could not be reached, or the connection was lost. */
export class ConnectionError extends SvcError {
  override readonly name: string = "ConnectionError";
}

/** The connection was lost in the middle of the answer. */
export class InterruptedAnswerError extends ConnectionError {
  override readonly name: string = "InterruptedAnswerError";
}

/** A successful answer is not JSON or not the message that it should be. */
export class InvalidAnswerError extends SvcError {
  override readonly name: string = "InvalidAnswerError";
}

/** The service refused the call or failed. */
export class StatusError extends SvcError {
  override readonly name: string = "StatusError";
}

/** 400: the input does not fit the node's current input message. */
export class BadRequestError extends StatusError {
  override readonly name: string = "BadRequestError";
}

/** 401: the API key is missing, unknown, expired or revoked. */
export class UnauthorizedError extends StatusError {
  override readonly name: string = "UnauthorizedError";
}

/** 403: the API key may not do this. */
export class ForbiddenError extends StatusError {
  override readonly name: string = "ForbiddenError";
}

/** 403 `tenant_suspended`: the operator has disabled the tenant. */
export class TenantSuspendedError extends ForbiddenError {
  override readonly name: string = "TenantSuspendedError";
}

/** 403 `app_key_graph_denied`: the app key was not made for this flow. */
export class AppKeyGraphDeniedError extends ForbiddenError {
  override readonly name: string = "AppKeyGraphDeniedError";
}

/** 404: the node is unknown or not deployed. */
export class NotFoundError extends StatusError {
  override readonly name: string = "NotFoundError";
}

/** 413: the input is larger than the service takes. */
export class PayloadTooLargeError extends StatusError {
  override readonly name: string = "PayloadTooLargeError";
}

/** 422: the node ran and returned an error. */
export class NodeFailedError extends StatusError {
  override readonly name: string = "NodeFailedError";
}

/** 429: too many calls. */
export class RateLimitedError extends StatusError {
  override readonly name: string = "RateLimitedError";
}

/** 429 `quota_exceeded`: the tenant's budget of the day is used up. */
export class QuotaExceededError extends RateLimitedError {
  override readonly name: string = "QuotaExceededError";
}

/** 5xx: the service failed. */
export class ServerError extends StatusError {
  override readonly name: string = "ServerError";
}

/** 502, 503, 504: something behind the service is unavailable for the moment. */
export class UpstreamUnavailableError extends ServerError {
  override readonly name: string = "UpstreamUnavailableError";
}

/** The run of a flow failed; the message is the run's own. */
export class FlowFailedError extends SvcError {
  override readonly name: string = "FlowFailedError";
}
