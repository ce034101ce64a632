/** Texts of runs that fail, beyond those of edges (SPEC.md, Flow run errors). */

export const noTerminalResult = 'graph produced no terminal result';

export const cancelled = 'execution cancelled';

export function exceededSteps(max: number): string {
  return `exceeded max steps (${max})`;
}

export function joinFailed(join: string, reason: string): string {
  return `downstream join ${join} failed: ${reason}`;
}

/** A parallel branch could not be started. */
export function branchOverQuota(cap: number): string {
  return `parallel branch: daily executions quota exceeded (cap ${cap})`;
}

/** A mutation of the running graph found no room in the executions quota. */
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
  return `node "${node}" asked for a human decision, which this release cannot wait for`;
}

/** Told to the tenant; the cause goes to the log. */
export const internalError =
  'internal error: the log of the service tells more under the id of this execution';
