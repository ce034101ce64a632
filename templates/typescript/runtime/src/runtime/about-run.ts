import { type SvcError, withDetails } from "./errors.ts";

/** Adds details to an error about a run, and the run's id to its message. */
export function aboutRun<Thrown extends SvcError>(
  error: Thrown,
  details: Partial<SvcError>,
): Thrown {
  const { executionId = "" } = details;
  if (!error.message.includes(executionId))
    error.message += ` (execution ${executionId})`;
  return withDetails(error, details);
}
