import { type ErrorDetails, SvcError } from "./errors.ts";
import type { Execution } from "./execution.ts";

/** The run of a flow waits for a decision. It continues when it is resumed. */
export class FlowPausedError extends SvcError {
  override readonly name: string = "FlowPausedError";
  /** Handle to the paused run. */
  readonly execution: Execution<unknown>;
  /** Id of the pause. */
  readonly pauseId: string | undefined;

  constructor(
    message: string,
    execution: Execution<unknown>,
    pauseId: string | undefined,
    details: ErrorDetails = {},
  ) {
    super(message, { ...details, executionId: execution.id });
    this.execution = execution;
    this.pauseId = pauseId;
  }
}

/** Returns the message for a run that waits for a decision. */
export function pausedText(executionId: string): string {
  return `execution ${executionId} is paused and waits for a decision`;
}
