import type { Tenant } from '../../service/store/tenants.ts';

/** How parts of the deployment are harmed. */
export const harmKinds = [
  /** A replica is killed. */
  'kill',
  /** A replica is stopped in order, as for an update. */
  'restart',
  /** A replica is suspended. */
  'freeze',
  /** A node container is killed. */
  'container',
  /** The database server is killed. */
  'database',
  /** The database server is suspended. */
  'stall',
  /** The connections of a replica to the database are reset, and further ones refused. */
  'cut',
  /** Nothing passes between a replica and the database; what was sent arrives later. */
  'hold',
  /** The connection of a replica to the database is slow. */
  'slow',
] as const;

/** See `harmKinds`. */
export type HarmKind = (typeof harmKinds)[number];

/** One harm, from its begin until its target works again. Times are epoch milliseconds. */
export interface Harm {
  kind: HarmKind;
  /** `replica-0`, `steps`, `database` */
  target: string;
  from: number;
  /** `Infinity` while it lasts. */
  to: number;
}

/** The response to a request, or that there was none. */
export interface SeenAnswer {
  operation: string;
  /** Method and path. */
  request: string;
  /** Name of the replica that was asked. */
  replica: string;
  from: number;
  to: number;
  /** Absent: the connection was lost, or no response came in time. */
  status?: number;
  /** Statuses that mean that all is well. */
  expected: readonly number[];
  /** Body of a response that is not expected, or why there was none. */
  text?: string;
}

/** A run that was acknowledged to a client. */
export interface AcceptedRun {
  executionId: string;
  tenant: Tenant;
  operation: string;
  /** Statuses with which it may end, whatever is harmed. */
  mayEnd: Set<string>;
  /** A run of a pipeline flow: while it was read. It is not resumed after a crash. */
  stream?: { from: number; to: number };
}

/** An acknowledged use of an idempotency key. */
interface KeyUse {
  tenant: string;
  key: string;
  executionId: string;
}

/** A result that belongs to an input: both carry the same id. */
interface SeenOutput {
  executionId: string;
  wanted: string;
  got: string | undefined;
}

/** How a stream ended for its reader: `left` if the reader closed it. */
export type StreamEnd = 'success' | 'error' | 'cut' | 'left';

/** A stream that was opened. Frames are named by the ids of their payloads. */
export interface SeenStream {
  operation: string;
  executionId: string;
  replica: string;
  from: number;
  to: number;
  wanted: readonly string[];
  frames: readonly string[];
  end: StreamEnd;
  error?: string;
  /** Frames that were sent; absent for a flow. */
  sent?: number;
  /** Frames that the service has acknowledged in the last frame. */
  acknowledged?: number;
}

/** What one reader got of a split stream. */
export interface Reading {
  streamId: string;
  replica: string;
  from: number;
  to: number;
  /** Position of its first frame. */
  offset: number;
  /** Frames as JSON. */
  frames: readonly string[];
  end: StreamEnd;
}

/** An upload to a split stream that was answered with 200. */
export interface Upload {
  streamId: string;
  executionId: string;
  from: number;
  to: number;
  sent: readonly string[];
  acknowledged: number;
}

/** A decision on a pause, and its response. */
export interface SeenDecision {
  executionId: string;
  pauseId: string;
  value: string;
  /** When the attempt that was answered was sent. */
  sentAt: number;
  expiresAt: number;
  /** Absent: never. */
  escalatesAt?: number;
  status: number;
  isRepeated?: boolean;
  /** The decision that the response names as the one that won. */
  winner?: string;
}

/** Invocations that a tenant has certainly drawn, and how many more it may have drawn. */
interface Charges {
  sure: number;
  possible: number;
}

/** What a client that followed a run got, over all its connections, without what it knew. */
interface Followed {
  executionId: string;
  ulids: readonly string[];
  /** Whether the last socket was closed by the service after the last event. */
  isWhole: boolean;
  /** Events of each socket. */
  sockets: readonly (readonly string[])[];
}

/** Ids of the pages of a list, newest first. */
interface Listed {
  list: string;
  ids: readonly string[];
}

/** The memory of a replica that has run for a while. */
interface MemorySample {
  replica: string;
  at: number;
  bytes: number;
}

/** The end of a replica that was stopped in order. */
export interface Shutdown {
  replica: string;
  from: number;
  to: number;
  code: number | null;
}

/** Everything that clients saw, and what was done to the deployment. */
export interface History {
  harms: Harm[];
  shutdowns: Shutdown[];
  /** Operations by name. */
  counts: Map<string, number>;
  answers: SeenAnswer[];
  runs: Map<string, AcceptedRun>;
  /** Direct calls that were answered with 200. */
  calls: Map<string, Tenant>;
  /** Runs that were cancelled with 200. */
  cancelled: Set<string>;
  keys: KeyUse[];
  outputs: SeenOutput[];
  streams: SeenStream[];
  readings: Reading[];
  uploads: Upload[];
  decisions: SeenDecision[];
  /** By handle. */
  charges: Map<string, Charges>;
  followed: Followed[];
  listed: Listed[];
  memory: MemorySample[];
  /** Operations that ended with an exception. */
  failures: { operation: string; text: string }[];
}

/** An empty history. */
export function emptyHistory(): History {
  return {
    harms: [],
    shutdowns: [],
    counts: new Map(),
    answers: [],
    runs: new Map(),
    calls: new Map(),
    cancelled: new Set(),
    keys: [],
    outputs: [],
    streams: [],
    readings: [],
    uploads: [],
    decisions: [],
    charges: new Map(),
    followed: [],
    listed: [],
    memory: [],
    failures: [],
  };
}

/** The charges of a tenant, which the caller may change. */
export function chargesOf(history: History, tenant: Tenant): Charges {
  const charges = history.charges.get(tenant.handle) ?? { sure: 0, possible: 0 };
  history.charges.set(tenant.handle, charges);
  return charges;
}
