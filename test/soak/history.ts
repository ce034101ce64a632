import type { Tenant } from '../../service/store/tenants.ts';

/** Kinds of injected faults. */
export const harmKinds = [
  /** A replica is killed. */
  'kill',
  /** A replica is stopped gracefully, as for an update. */
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
  /** Traffic between a replica and the database is withheld, and delivered later. */
  'hold',
  /** The connection of a replica to the database has a high latency. */
  'slow',
] as const;

/** See `harmKinds`. */
export type HarmKind = (typeof harmKinds)[number];

/** One injected fault, from its beginning until its target works again. Times are epoch milliseconds. */
export interface Harm {
  kind: HarmKind;
  /** `replica-0`, `steps`, `database` */
  target: string;
  from: number;
  /** `Infinity` while the fault lasts. */
  to: number;
}

/** The outcome of a request: its response, or the lack of one. */
export interface SeenAnswer {
  operation: string;
  /** Method and path. */
  request: string;
  /** Name of the replica that received the request. */
  replica: string;
  from: number;
  to: number;
  /** Absent if the connection was lost, or no response came in time. */
  status?: number;
  /** Expected statuses. */
  expected: readonly number[];
  /** Body of an unexpected response, or the reason why there was none. */
  text?: string;
}

/** A run that was acknowledged to a client. */
export interface AcceptedRun {
  executionId: string;
  tenant: Tenant;
  operation: string;
  /** Statuses with which the run may end, regardless of faults. */
  mayEnd: Set<string>;
  /** For a run of a pipeline flow: the time during which its output was read. It is not resumed after a crash. */
  stream?: { from: number; to: number };
}

/** An acknowledged use of an idempotency key. */
interface KeyUse {
  tenant: string;
  key: string;
  executionId: string;
}

/** A result and the input that it belongs to: both contain the same id. */
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
  /** Number of sent frames; absent for a flow. */
  sent?: number;
  /** Number of frames that the service has acknowledged in the last frame. */
  acknowledged?: number;
}

/** The frames that one reader of a split stream received. */
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

/** An upload to a split stream whose response was 200. */
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
  /** Time at which the attempt that got the response was sent. */
  sentAt: number;
  expiresAt: number;
  /** Absent if the pause does not escalate. */
  escalatesAt?: number;
  status: number;
  isRepeated?: boolean;
  /** The decision that the response names as the one that won. */
  winner?: string;
}

/** Number of invocations that a tenant has certainly drawn, and how many more it may have drawn. */
interface Charges {
  sure: number;
  possible: number;
}

/** The events that a follower of a run received over all of its connections, without those that it already knew. */
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

/** The memory of a replica after its warm-up. */
interface MemorySample {
  replica: string;
  at: number;
  bytes: number;
}

/** The graceful stop of a replica. */
export interface Shutdown {
  replica: string;
  from: number;
  to: number;
  code: number | null;
}

/** Everything that clients observed, and the faults that were injected. */
export interface History {
  harms: Harm[];
  shutdowns: Shutdown[];
  /** Operations by name. */
  counts: Map<string, number>;
  answers: SeenAnswer[];
  runs: Map<string, AcceptedRun>;
  /** Direct calls whose response was 200. */
  calls: Map<string, Tenant>;
  /** Runs whose cancellation got a response of 200. */
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
  /** Operations that threw. */
  failures: { operation: string; text: string }[];
}

/** Returns an empty history. */
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

/** Returns the charges of a tenant, which the caller may change. */
export function chargesOf(history: History, tenant: Tenant): Charges {
  const charges = history.charges.get(tenant.handle) ?? { sure: 0, possible: 0 };
  history.charges.set(tenant.handle, charges);
  return charges;
}
