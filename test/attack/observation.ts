/** What a neighbour of an attacker does. */
export interface WatchTarget {
  url: string;
  /** Time from one call to the next, milliseconds. */
  everyMs: number;
  /** Calls a node and runs a flow in turn. Absent: asks `/healthz`. */
  calls?: { key: string; nodePath: string; graphId: string };
}

/** A call of the neighbour. */
export interface Observation {
  /** When it was due, epoch milliseconds. */
  at: number;
  /** Time from then to its answer, milliseconds. */
  ms: number;
  /** Why it failed. */
  problem?: string;
}
