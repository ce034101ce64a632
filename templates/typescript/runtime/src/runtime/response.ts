/** A response of the service, as received. */
export interface RawResponse {
  readonly status: number;
  /** Headers by lowercase name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Number of attempts, including the first. */
  readonly attempts: number;
  /** Key sent with every attempt of the call. */
  readonly idempotencyKey: string;
  /** Id of the execution that the call created or referred to, if known. */
  readonly executionId: string | undefined;
  /** Id of the request in the logs of the service, if it sent one. */
  readonly requestId: string | undefined;
}

/** Returns the ids of a response as the suffix of an error message. */
export function idsOf({
  executionId,
  requestId,
}: {
  readonly executionId?: string | undefined;
  readonly requestId?: string | undefined;
}): string {
  const run = executionId ? `, execution ${executionId}` : "";
  return requestId ? `${run}, request ${requestId}` : run;
}

/** The typed value of a call and its response. */
export interface CallResult<T> {
  readonly value: T;
  readonly response: RawResponse;
}
