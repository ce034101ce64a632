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

/** Requests that are sent at a rate, in a cycle. */
export interface RequestAttack {
  kind: 'requests';
  id: string;
  title: string;
  /** Maximum number of requests. A response of 429 counts too. */
  perSecond: number;
  /** Maximum number of requests without a response. Further ones are left out, not queued. */
  atOnce: number;
  /** Returns the request with a number. The caller creates large bodies once. */
  prepare(target: AttackTarget): (n: number) => AttackRequest;
}

/** Requests on raw connections. Each is sent as soon as the previous one has been answered. */
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
  /** Connections opened per second. */
  opensPerSecond: number;
  /** Sent when a connection opens: connection n sends `heads[n % heads.length]`. */
  heads: readonly string[];
}

export type Attack = RequestAttack | FloodAttack | StallAttack;

/** The result of an attack. */
export interface AttackResult {
  sent: number;
  /** Number of responses by status; `error` for requests without a response. */
  answers: Record<string, number>;
  /** Processor time of the sender per second, in seconds. */
  cores: number;
}
