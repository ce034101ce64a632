/** Messages of failed runs, except for those of edges. */

export const noTerminalResult = 'graph produced no terminal result';

export const cancelled = 'execution cancelled';

export function exceededSteps(max: number): string {
  return `exceeded max steps (${max})`;
}

export function joinFailed(join: string, reason: string): string {
  return `downstream join ${join} failed: ${reason}`;
}

export function branchOverQuota(cap: number): string {
  return `parallel branch: daily executions quota exceeded (cap ${cap})`;
}

export function mutationOverQuota(cap: number): string {
  return `graph mutation: daily executions quota exceeded (cap ${cap})`;
}

/** @param detail says what to do */
export function mutationFailed(node: string, detail: string): string {
  return `node "${node}" sent a mutation that does not compile: ${detail}`;
}

export const mutationNotEnabled =
  'the flow was compiled without mutation_enabled: compile it with mutation_enabled: true';

export function pauseNotAvailable(node: string): string {
  return `node "${node}" requested a human decision, which this release does not support`;
}

/** The reason precedes the message if it is not what the message itself says. */
export function secretsRefused({ reason, message }: { reason: string; message: string }): string {
  return reason === 'dev_not_armed' ? `${reason}: ${message}` : message;
}

/** For the tenant. The cause is in the service log. */
export const internalError = 'internal error: see the service log for this execution id';
