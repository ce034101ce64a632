import { AbortedError, type ErrorDetails } from "./errors.ts";

/** Throws an `AbortedError` if the caller has aborted. */
export function checkAborted(
  caller: AbortSignal | undefined,
  details?: ErrorDetails,
): void {
  if (!caller?.aborted) return;
  const cause: unknown = caller.reason;
  throw new AbortedError("the call was aborted", { ...details, cause });
}
