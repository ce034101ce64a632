/** Told what happens to the calls of a client. What it throws is ignored. */
export type Logger = (event: LogEvent) => void;

/** Something that happened to a call. */
export type LogEvent = RequestEvent | AnswerEvent | RetryEvent | FailureEvent;

interface CallEvent {
  /** The same for every try of a call. */
  readonly idempotencyKey: string;
  readonly method: string;
  readonly url: string;
  /** Counts from 1. */
  readonly attempt: number;
}

/** A request is sent. */
export interface RequestEvent extends CallEvent {
  readonly type: "request";
  /** Secrets stand as `[redacted]`. */
  readonly headers: Readonly<Record<string, string>>;
}

/** An answer has arrived. */
export interface AnswerEvent extends CallEvent {
  readonly type: "answer";
  readonly status: number;
  readonly executionId: string | undefined;
  /** Since the request was sent, in milliseconds. */
  readonly durationMs: number;
}

/** The call failed and is tried again after a wait. */
export interface RetryEvent extends CallEvent {
  readonly type: "retry";
  readonly error: Error;
  readonly delayMs: number;
}

/** The call failed for good. */
export interface FailureEvent extends CallEvent {
  readonly type: "failure";
  readonly error: Error;
}
