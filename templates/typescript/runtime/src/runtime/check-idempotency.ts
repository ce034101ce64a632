import { type Answer, idsOf } from "./answer.ts";
import { IdempotencyMismatchError } from "./errors.ts";
import { mismatchHeader } from "./flow-request.ts";

/**
 * Throws an `IdempotencyMismatchError` if the response is that to an earlier
 * request that was another one.
 */
export function checkIdempotency(answer: Answer): void {
  const mismatch = answer.headers[mismatchHeader];
  if (!mismatch) return;
  const names = mismatch
    .split(/\s*,\s*/)
    .map((name) => namesOfFields[name] ?? name)
    .join(" and ");
  throw new IdempotencyMismatchError(
    `the idempotency key belongs to an earlier request that differs in its ${names} (HTTP ${answer.status}${idsOf(answer)})`,
    { ...answer },
  );
}

const namesOfFields: Readonly<Record<string, string>> = {
  graph_id: "flow",
  execution_id: "execution",
};
