import type { SvcError } from "./errors.ts";

/**
 * Receives the events of a client's calls. Exceptions and rejections are
 * ignored.
 */
export type Logger = (event: LogEvent) => unknown;

/** An event of a call. */
export type LogEvent =
  RequestEvent | ResponseEvent | RetryEvent | BudgetEmptyEvent | FailureEvent;

interface CallEvent {
  /** Identical for all attempts of a call. */
  readonly idempotencyKey: string;
  readonly method: string;
  readonly url: string;
  /** Number of the attempt, starting at 1. */
  readonly attempt: number;
}

/** A request is about to be sent. */
export interface RequestEvent extends CallEvent {
  readonly type: "request";
  /** Secrets are replaced by `[redacted]`. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A response was received. */
export interface ResponseEvent extends CallEvent {
  readonly type: "response";
  readonly status: number;
  readonly executionId: string | undefined;
  /** Milliseconds since the request was sent. */
  readonly durationMs: number;
}

/** The attempt failed and will be retried after a delay. */
export interface RetryEvent extends CallEvent {
  readonly type: "retry";
  readonly error: SvcError;
  readonly delayMs: number;
}

/** The attempt failed and is not retried, because the retry budget is empty. */
export interface BudgetEmptyEvent extends CallEvent {
  readonly type: "budget-empty";
  readonly error: SvcError;
}

/** The call failed. */
export interface FailureEvent extends CallEvent {
  readonly type: "failure";
  readonly executionId: string | undefined;
  readonly error: SvcError;
}
