/** A response of the service, with the API key redacted. */
export interface Answer {
  readonly status: number;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Number of attempts, including the first. */
  readonly attempts: number;
  /** Key sent with every attempt of the call. */
  readonly idempotencyKey: string;
}

/** The typed value of a call and its response. */
export interface CallResult<T> {
  readonly value: T;
  readonly answer: Answer;
}

/** Id of the execution that the call created, if the headers contain it. */
export function executionIdOf(answer: Answer): string | undefined {
  return answer.headers["x-execution-id"] || undefined;
}
