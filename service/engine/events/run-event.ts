import type { JournalEntry, Payload } from '../run/journal-entry.ts';
import { isBlob } from '../run/payload.ts';

/** Types of events that a unary run leaves in its history (SPEC.md, Event types). */
export const eventTypes = [
  'NODE_STARTED',
  'NODE_COMPLETED',
  'NODE_FAILED',
  'NODE_LOG',
  'NODE_PROGRESS',
  'EDGE_EVALUATED',
  'GRAPH_MUTATED',
  'NODE_RETRY_SCHEDULED',
  'NODE_RETRY_STARTED',
  'NODE_RETRY_EXHAUSTED',
  'FLOW_COMPLETED',
  'FLOW_FAILED',
] as const;

export type EventType = (typeof eventTypes)[number];

/** Told live, and kept in no history. */
export type LiveEventType = 'MEMORY_READ' | 'MEMORY_WRITE';

/** One event of an execution; what a type does not carry is absent. Bytes are those of the message, not yet base64. */
export interface RunEvent {
  type: EventType | LiveEventType;
  eventUlid: string;
  /** The run's own execution; branches are `instanceId`. */
  executionId: string;
  /** Epoch milliseconds. */
  timestampMs: number;
  /** Canvas id, which is the name of a placement too. */
  nodeId?: string;
  /** Execution id of the branch. */
  instanceId?: string;
  input?: Payload;
  output?: Payload;
  mocked?: true;
  progressDropped?: number;
  errorMessage?: string;
  /** Of failed flows: JSON text that the failed node gave. */
  failurePayload?: string;
  log?: { level: string; message: string };
  progress?: { kind: string; json: string; seq: number };
  edge?: { id: string; conditionPass: boolean; adapterApplied: boolean; error?: string };
  /** Of grown graphs: how often so far, and what came in: ids of nodes, edges with their ends. */
  mutation?: { seq: number; nodes: string[]; edges: { id: string; from: string; to: string }[] };
  /** `json` is the author's text, absent where there is none or too much. */
  memory?: { key: string; json?: string };
  retry?: { attempt: number; maxAttempts: number; nextAttemptAtMs?: number };
}

/** The event of an entry; `undefined`: the entry is the engine's own. */
export function eventOf(executionId: string, entry: JournalEntry): RunEvent | undefined {
  const head = { eventUlid: entry.id, executionId, timestampMs: entry.at };
  switch (entry.type) {
    case 'NODE_STARTED':
      return { type: entry.type, ...head, ...placeOf(entry), input: entry.input };
    case 'NODE_COMPLETED':
      return { type: entry.type, ...head, ...placeOf(entry), output: entry.output, ...endOf(entry) };
    case 'NODE_FAILED':
      return { type: entry.type, ...head, ...placeOf(entry), errorMessage: entry.message, ...endOf(entry) };
    case 'NODE_LOG': {
      const { level, message } = entry;
      return { type: entry.type, ...head, ...placeOf(entry), log: { level, message } };
    }
    case 'NODE_PROGRESS': {
      const { kind, json, seq } = entry;
      return { type: entry.type, ...head, ...placeOf(entry), progress: { kind, json, seq } };
    }
    case 'EDGE_EVALUATED': {
      const { edge: id, conditionPass, adapterApplied, error } = entry;
      const edge = { id, conditionPass, adapterApplied, ...(error === undefined ? {} : { error }) };
      return { type: entry.type, ...head, ...placeOf(entry), edge };
    }
    case 'GRAPH_MUTATED': {
      const nodes = entry.nodes.map(({ id }) => id);
      const edges = entry.edges.map(({ id, from, to }) => ({ id, from, to }));
      return {
        type: entry.type,
        ...head,
        ...placeOf(entry),
        mutation: { seq: entry.mutation, nodes, edges },
      };
    }
    case 'NODE_RETRY_SCHEDULED':
    case 'NODE_RETRY_STARTED':
    case 'NODE_RETRY_EXHAUSTED': {
      const { attempt, maxAttempts, nextAttemptAt } = entry;
      const next = nextAttemptAt === undefined ? {} : { nextAttemptAtMs: nextAttemptAt };
      return { type: entry.type, ...head, ...placeOf(entry), retry: { attempt, maxAttempts, ...next } };
    }
    case 'FLOW_COMPLETED':
      return { type: entry.type, ...head, output: entry.output };
    case 'FLOW_FAILED': {
      const { message, failurePayload } = entry;
      return {
        type: entry.type,
        ...head,
        errorMessage: message,
        ...(failurePayload === undefined ? {} : { failurePayload }),
      };
    }
    case 'admitted':
    case 'taken_over':
    case 'branch_opened':
    case 'branch_ended':
    case 'survived':
      return undefined;
  }
}

/** The same event with its messages in memory. */
export async function withBytes(
  event: RunEvent,
  read: (blob: string) => Promise<Uint8Array>,
): Promise<RunEvent> {
  const load = async (payload: Payload): Promise<Uint8Array> =>
    isBlob(payload) ? read(payload.blob) : payload;
  return {
    ...event,
    ...(event.input && { input: await load(event.input) }),
    ...(event.output && { output: await load(event.output) }),
  };
}

function placeOf({ node, branch }: { node: string; branch: string }): {
  nodeId: string;
  instanceId: string;
} {
  return { nodeId: node, instanceId: branch };
}

function endOf({ mocked, progressDropped }: { mocked?: true; progressDropped?: number }): object {
  return { ...(mocked && { mocked }), ...(progressDropped !== undefined && { progressDropped }) };
}
