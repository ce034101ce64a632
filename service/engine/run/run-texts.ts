/** Messages of failed runs, except for edge failures. */

export const noTerminalResult = 'graph produced no terminal result';

export const cancelled = 'execution cancelled';

/**
 * Returns the message of a run that was open when it was forked.
 *
 * @param child execution id of the fork
 */
export function forkedTo(child: string): string {
  return `execution forked: ${child} continues it`;
}

/**
 * Returns the message of a run that fails because it may start no further step. A fork at the limit cannot restart a
 * step with another input.
 */
export function exceededSteps(max: number): string {
  return `exceeded max steps (${max})`;
}

/**
 * Returns the message of a run that failed upstream of a join: immediately with `abort`, or with `continue` if the
 * run ends without a result.
 *
 * @param join node id
 * @param reason message of the node that failed
 */
export function joinFailed(join: string, reason: string): string {
  return `downstream join ${join} failed: ${reason}`;
}

/** Returns the message of a run whose branches exceed the daily quota. Each branch draws an execution. */
export function branchOverQuota(cap: number): string {
  return `parallel branch: daily executions quota exceeded (cap ${cap})`;
}

/** Returns the message of a run whose mutations exceed the daily quota. Each mutation draws an execution. */
export function mutationOverQuota(cap: number): string {
  return `graph mutation: daily executions quota exceeded (cap ${cap})`;
}

/**
 * Returns the message of a step whose mutation does not compile.
 *
 * @param detail says what to do
 */
export function mutationFailed(node: string, detail: string): string {
  return `node "${node}" sent a mutation that does not compile: ${detail}`;
}

export const mutationNotEnabled =
  'the flow was compiled without mutation_enabled: compile it with mutation_enabled: true';

/** Returns the message of a run that is cancelled because its pause has expired. */
export function pauseExpired(pauseId: string): string {
  return `pause ${pauseId} expired without a decision`;
}

/**
 * Returns the message of a step whose request for a human decision is refused.
 *
 * @param detail says what is wrong with the request of the node
 */
export function pauseRefused(node: string, detail: string): string {
  return `node "${node}" requested a human decision, but ${detail}`;
}

/**
 * Returns the message of a step whose secrets are refused. The reason precedes the message unless the message itself
 * states it.
 */
export function secretsRefused({ reason, message }: { reason: string; message: string }): string {
  return reason === 'dev_not_armed' ? `${reason}: ${message}` : message;
}

/** Another replica has fenced off the journal of the stream, or the journal cannot be written. */
export const streamLost = 'the stream was taken over by another replica';

export const streamCutOff = 'the service was stopped before the stream ended';

/** The stream gave up waiting for the database. */
export const databaseAway = 'the database is unavailable';

export const streamNotResumed = 'the process that ran the stream has stopped: streams are not resumed';

/** Shown to the tenant. The cause is in the service log. */
export const internalError = 'internal error: see the service log for this execution id';
