import { Call } from "./call.ts";
import type { RawResponse } from "./response.ts";

/**
 * Returns a call that resolves to a value, for fake clients. `response`
 * overrides properties of a response with status 200 and an empty body.
 */
export function callOf<T>(
  value: T,
  response: Partial<RawResponse> = {},
): Call<T> {
  const usual: RawResponse = {
    status: 200,
    headers: {},
    body: "",
    attempts: 1,
    idempotencyKey: "",
    executionId: undefined,
    requestId: undefined,
  };
  return new Call(
    Promise.resolve({ value, response: { ...usual, ...response } }),
  );
}
