import { errorCode } from "./error-code.ts";

/** Details of a failed call. */
export interface ErrorDetails {
  /** HTTP status code. */
  status?: number | undefined;
  /** Response headers by lowercase name. */
  headers?: Readonly<Record<string, string>>;
  /** Response body: parsed if it is JSON, otherwise text. */
  body?: unknown;
  /** Id of the execution that the call created. */
  executionId?: string | undefined;
  /** Id of the request in the logs of the service. */
  requestId?: string | undefined;
  /** Number of requests that the call sent. */
  attempts?: number | undefined;
  /** Key sent with every attempt of the call. */
  idempotencyKey?: string | undefined;
  /** Milliseconds to wait before the next attempt, if the service sent them. */
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/** Shared by all copies of this package and by all packages of svc. */
const brand = Symbol.for("svc.SvcError");

/**
 * Reports whether a value is an error of this package. Unlike `instanceof`,
 * it recognizes errors of other copies, such as the CommonJS build.
 */
export function isSvcError(value: unknown): value is SvcError {
  return value instanceof Error && brand in value;
}

/** Base class of all errors of this package. Never contains the API key. */
export class SvcError extends Error {
  override readonly name: string = "SvcError";
  /** HTTP status code; undefined if there was no response. */
  declare readonly status: number | undefined;
  /** Response headers by lowercase name; empty if there was no response. */
  readonly headers: Readonly<Record<string, string>> = {};
  /** Response body: parsed if it is JSON, otherwise text. */
  declare readonly body: unknown;
  /** Id of the execution that the call created, if known. */
  declare readonly executionId: string | undefined;
  /** Id of the request in the logs of the service, if it sent one. */
  declare readonly requestId: string | undefined;
  /** Number of requests that the call sent; undefined before a call. */
  declare readonly attempts: number | undefined;
  /** Key sent with every attempt of the call; undefined before a call. */
  declare readonly idempotencyKey: string | undefined;
  /** Milliseconds to wait before the next attempt, if the service sent them. */
  declare readonly retryAfterMs: number | undefined;

  constructor(message: string, details?: ErrorDetails) {
    super(message, details);
    Object.assign(this, details);
    Object.defineProperty(this, brand, { value: true });
  }

  /**
   * The error code of the service for an error status, such as
   * `client_not_found`; otherwise the name of the class, such as `timed_out`.
   */
  get code(): string {
    const { body, status = 0, name } = this;
    return (
      (status >= 400 && errorCode(body)) ||
      name
        .replace(/Error$/, "")
        .replace(/\B[A-Z]/g, "_$&")
        .toLowerCase()
    );
  }
}

/**
 * Adds details to an error, and recaptures its stack. The new stack contains the
 * frames of the caller, which are missing from errors of timers and aborts.
 */
export function withDetails<Thrown extends SvcError>(
  error: Thrown,
  details: Partial<SvcError>,
): Thrown {
  // Captured on a derived object, because the stack of the error itself keeps its
  // first message, which may contain the API key.
  const heir = Object.create(error) as Thrown;
  const platform = Error as { captureStackTrace?: (target: object) => void };
  platform.captureStackTrace?.(heir);
  return Object.assign(error, details, { stack: heir.stack });
}

/** A client or call option is missing or malformed. No request was sent. */
export class ConfigurationError extends SvcError {
  override readonly name: string = "ConfigurationError";
}

/** A value is invalid for its message type. No request was sent. */
export class ValueError extends SvcError {
  override readonly name: string = "ValueError";
}

/** The caller's AbortSignal aborted the call. `cause` is the abort reason. */
export class AbortedError extends SvcError {
  override readonly name: string = "AbortedError";
}

/** The call, including retries, did not complete within its `timeoutMs`. */
export class TimedOutError extends SvcError {
  override readonly name: string = "TimedOutError";
}

/** The service is unreachable, or the connection was lost. */
export class ConnectionError extends SvcError {
  override readonly name: string = "ConnectionError";
}

/** The connection was lost while reading the response. */
export class InterruptedResponseError extends ConnectionError {
  override readonly name: string = "InterruptedResponseError";
}

/** A successful response is not valid JSON for the return type. */
export class InvalidResponseError extends SvcError {
  override readonly name: string = "InvalidResponseError";
}

/**
 * The idempotency key was already used for a different request. `executionId`
 * is the run of the earlier request.
 */
export class IdempotencyMismatchError extends SvcError {
  override readonly name: string = "IdempotencyMismatchError";
}

/** The service returned an error status. Subclasses cover the common ones. */
export class StatusError extends SvcError {
  override readonly name: string = "StatusError";
  declare readonly status: number;
}

/** 400: the request is invalid. */
export class BadRequestError extends StatusError {
  override readonly name: string = "BadRequestError";
}

/** 401: the API key is missing, invalid, expired or revoked. */
export class UnauthorizedError extends StatusError {
  override readonly name: string = "UnauthorizedError";
}

/** 403: the API key lacks permission. */
export class ForbiddenError extends StatusError {
  override readonly name: string = "ForbiddenError";
}

/** 403 `tenant_suspended`: the tenant is suspended. */
export class TenantSuspendedError extends ForbiddenError {
  override readonly name: string = "TenantSuspendedError";
}

/** 403 `app_key_graph_denied`: the app key does not cover this flow. */
export class AppKeyGraphDeniedError extends ForbiddenError {
  override readonly name: string = "AppKeyGraphDeniedError";
}

/** 404: the resource does not exist or is not deployed. */
export class NotFoundError extends StatusError {
  override readonly name: string = "NotFoundError";
}

/** 413: the input exceeds the size limit of the service. */
export class PayloadTooLargeError extends StatusError {
  override readonly name: string = "PayloadTooLargeError";
}

/** 422: the node returned an error. */
export class NodeFailedError extends StatusError {
  override readonly name: string = "NodeFailedError";
}

/** 429: too many requests. */
export class RateLimitedError extends StatusError {
  override readonly name: string = "RateLimitedError";
}

/** 429 `quota_exceeded`: a daily quota is exhausted until midnight UTC. */
export class QuotaExceededError extends RateLimitedError {
  override readonly name: string = "QuotaExceededError";
}

/** 5xx: the service failed. */
export class ServerError extends StatusError {
  override readonly name: string = "ServerError";
}

/** 502, 503, 504: a dependency of the service is temporarily unavailable. */
export class UpstreamUnavailableError extends ServerError {
  override readonly name: string = "UpstreamUnavailableError";
}
