/** What an attacker knows about a service and its own tenant. */
export interface AttackTarget {
  url: string;
  /** Handle of the tenant. */
  handle: string;
  /** Full key of the tenant. */
  key: string;
  /** A public app key of the tenant. */
  appKey: string;
  /** Flows of the tenant: one node that answers, one that never does, one that logs without end, and one with costly expressions. */
  graphs: { echo: string; hang: string; chatty: string; bombs: readonly string[] };
}

export interface AttackRequest {
  method: 'GET' | 'POST';
  path: string;
  /** Default: the full key. */
  key?: 'full' | 'app' | 'none';
  body?: string | Uint8Array;
}

/** Requests that are sent at a rate, in turn. */
export interface RequestAttack {
  kind: 'requests';
  id: string;
  title: string;
  /** Requests that are sent at most; an answer of 429 counts as one. */
  perSecond: number;
  /** Requests that wait for an answer at the same time. The next ones are left out, not queued. */
  atOnce: number;
  /** Makes the request of a number. Large bodies are made once, by the caller. */
  prepare(target: AttackTarget): (n: number) => AttackRequest;
}

/** Requests on raw connections, the next one as soon as one is answered. */
export interface FloodAttack {
  kind: 'flood';
  id: string;
  title: string;
  connections: number;
  request: string;
}

/** Connections that are opened and then stall. A connection that the service closes is opened again. */
export interface StallAttack {
  kind: 'stall';
  id: string;
  title: string;
  connections: number;
  /** Connections that are opened in a second. */
  opensPerSecond: number;
  /** Sent at once; connection n sends `heads[n % heads.length]`. */
  heads: readonly string[];
}

export type Attack = RequestAttack | FloodAttack | StallAttack;

/** The result of an attack. */
export interface AttackResult {
  sent: number;
  /** Answers by their status; `error` for requests without one. */
  answers: Record<string, number>;
  /** Processor time of the sender for each second, in seconds. */
  cores: number;
}
