/** A response of the service, as it was received. */
export interface Answer {
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Number of attempts, including the first. */
  readonly attempts: number;
  /** Key sent with every attempt of the call. */
  readonly idempotencyKey: string;
  /** Id of the execution that the call created or asked for, if known. */
  readonly executionId: string | undefined;
}

/** The typed value of a call and its response. */
export interface CallResult<T> {
  readonly value: T;
  readonly answer: Answer;
}
