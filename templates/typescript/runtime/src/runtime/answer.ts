/** An answer of the service as it came, without the API key. */
export interface Answer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** How often the request was sent. */
  readonly attempts: number;
  /** Key that every try of this call carried. */
  readonly idempotencyKey: string;
}

/** The typed value of a call and the answer that held it. */
export interface CallResult<T> {
  readonly value: T;
  readonly answer: Answer;
}

/** Id under which the service recorded the execution, when its headers say one. */
export function executionIdOf(answer: Answer): string | undefined {
  return answer.headers["x-execution-id"] || undefined;
}
