import { IdempotencyMismatchError } from "./errors.ts";
import { mismatchHeader } from "./flow-request.ts";
import { idsOf, type RawResponse } from "./response.ts";

/**
 * Throws an `IdempotencyMismatchError` if the key was first sent with a
 * different request.
 */
export function checkIdempotency(response: RawResponse): void {
  const mismatch = response.headers[mismatchHeader];
  if (!mismatch) return;
  const names = mismatch
    .split(/\s*,\s*/)
    .map((name) => namesOfFields[name] ?? name)
    .join(" and ");
  throw new IdempotencyMismatchError(
    `the idempotency key belongs to an earlier request that differs in its ${names} (HTTP ${response.status}${idsOf(response)})`,
    { ...response },
  );
}

const namesOfFields: Readonly<Record<string, string>> = {
  graph_id: "flow",
  execution_id: "execution",
};
