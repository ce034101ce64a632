import type { RootType } from "./codec/codec.ts";
import { toJson } from "./codec/to-json.ts";
import type { Input } from "./codec/values.ts";
import { isExecutionId } from "./execution-id.ts";
import { invalidResponse } from "./invalid-response.ts";
import type { RequestFacts } from "./outgoing.ts";
import type { RawResponse } from "./response.ts";
import { textOf } from "./response-object.ts";

/** Descriptor of a compiled flow. */
export interface Flow<Taken, Given> {
  readonly graphId: string;
  readonly input: RootType<Taken>;
  readonly output: RootType<Given>;
}

/** Path of requests that start a run. */
export const path = "/invocations/v1/flows/invoke";

/** Lists how a request differs from the first one with the same key. */
export const mismatchHeader = "idempotency-mismatch";

/** Properties of a request that starts a run. */
export const facts: Pick<RequestFacts, "failedAt"> &
  Required<Pick<RequestFacts, "executionIdIn">> = {
  failedAt: NaN,
  /** Falls back to the body, because a proxy may drop the header. */
  executionIdIn(body) {
    return /"execution_id"\s*:\s*"([0-9a-f]{32})"/i.exec(body)?.[1];
  },
};

/** Encodes the request without the fields that control waiting. */
export function opening<Taken, Given>(
  { graphId, input: type }: Flow<Taken, Given>,
  input: Input<Taken>,
): string {
  return `{"graph_id":${JSON.stringify(graphId)},"input":${toJson(type, input)}`;
}

/** Returns the id of the run. Throws an `InvalidResponseError`. */
export function executionIdOf(fields: object, response: RawResponse): string {
  const id = textOf(fields, "execution_id");
  if (isExecutionId(id)) return id;
  throw invalidResponse(response, "execution_id is missing or malformed");
}
