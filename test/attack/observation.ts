/** The calls of an attacker's neighbour. */
export interface WatchTarget {
  url: string;
  /** Time between calls, in milliseconds. */
  everyMs: number;
  /** Alternately calls a node and runs a flow. If absent, requests `/healthz`. */
  calls?: { key: string; nodePath: string; graphId: string };
}

/** A call of the neighbour. */
export interface Observation {
  /** When it was due, in epoch milliseconds. */
  at: number;
  /** Time from then to its response, in milliseconds. */
  ms: number;
  /** Why it failed. */
  problem?: string;
}
