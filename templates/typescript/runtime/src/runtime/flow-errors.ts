import { type ErrorDetails, SvcError, TimedOutError } from "./errors.ts";
import type { Execution } from "./execution.ts";

/** The flow had not ended when the time of the call was over; it runs on. */
export class WaitTimedOutError extends TimedOutError {
  override readonly name: string = "WaitTimedOutError";
  /** The run: wait for it again, or look at it later by its id. */
  readonly execution: Execution<unknown>;

  constructor(
    message: string,
    execution: Execution<unknown>,
    details: ErrorDetails = {},
  ) {
    super(message, { ...details, executionId: execution.id });
    this.execution = execution;
  }
}

/** The flow waits for a decision; it goes on when somebody resumes it. */
export class FlowPausedError extends SvcError {
  override readonly name: string = "FlowPausedError";
  /** The parked run. */
  readonly execution: Execution<unknown>;
  /** The pause that waits for the decision. */
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
