import type { Answer } from "./answer.ts";
import { Call } from "./call.ts";

/**
 * Returns a call that resolves to a value, for fakes of a client. `answer` is
 * what its response has besides the status 200 and an empty body.
 */
export function callOf<T>(value: T, answer: Partial<Answer> = {}): Call<T> {
  const usual: Answer = {
    status: 200,
    headers: {},
    body: "",
    attempts: 1,
    idempotencyKey: "",
    executionId: undefined,
    requestId: undefined,
  };
  return new Call(Promise.resolve({ value, answer: { ...usual, ...answer } }));
}
