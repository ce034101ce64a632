import { aboutRun } from "./about-run.ts";
import { AbortedError } from "./errors.ts";

/** Throws an `AbortedError` if the caller has aborted. */
export function checkAborted(
  caller: AbortSignal | undefined,
  executionId?: string,
): void {
  if (!caller?.aborted) return;
  const cause: unknown = caller.reason;
  const error = new AbortedError("the call was aborted", { cause });
  throw aboutRun(error, { executionId });
}
