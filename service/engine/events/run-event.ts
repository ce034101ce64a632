import type { FailureKind } from '../../../specs/failure-kind.ts';
import type { JournalEntry, NodeFailed, Payload, StreamTotals } from '../journal/entry.ts';
import { isBlob } from '../journal/payload.ts';

/** Types of the stored events. */
export const eventTypes = [
  'NODE_STARTED',
  'NODE_COMPLETED',
  'NODE_FAILED',
  'NODE_LOG',
  'NODE_PROGRESS',
  'NODE_INPUT_FRAME',
  'NODE_FRAME',
  'NODE_STREAM_COMPLETE',
  'EDGE_EVALUATED',
  'GRAPH_MUTATED',
  'NODE_RETRY_SCHEDULED',
  'NODE_RETRY_STARTED',
  'NODE_RETRY_EXHAUSTED',
  'HITL_PAUSED',
  'HITL_RESUMED',
  'HITL_RESUME_FAILED',
  'HITL_TIMEOUT',
  'ESCALATION_TRIGGERED',
  'FORKED',
  'FLOW_COMPLETED',
  'FLOW_FAILED',
] as const;

/** The type of an event that is stored and can be read later. Memory events are only published. */
export type EventType = (typeof eventTypes)[number];

/** Published as they happen, and not stored. */
type TransientEventType = 'MEMORY_READ' | 'MEMORY_WRITE';

/** One event of an execution. Fields that its type does not carry are absent. Payloads are serialized messages, not base64. */
export interface RunEvent {
  type: EventType | TransientEventType;
  eventUlid: string;
  /** Execution id of the run. `instanceId` names the branch. */
  executionId: string;
  /** Epoch milliseconds. */
  timestampMs: number;
  /** Node id. */
  nodeId?: string;
  /** Execution id of the branch. */
  instanceId?: string;
  input?: Payload;
  output?: Payload;
  /** A frame of a pipeline node, and its position in its direction, from 0. */
  frame?: Payload;
  frameIndex?: number;
  /** At the end of a pipeline node. */
  streamed?: StreamTotals;
  mocked?: true;
  progressDropped?: number;
  errorMessage?: string;
  /** The cause of a failed node or flow, if it is known. */
  failureKind?: FailureKind;
  /** On a failed flow: JSON text from the failed node. */
  failurePayload?: string;
  log?: { level: string; message: string };
  progress?: { kind: string; json: string; seq: number };
  edge?: { id: string; conditionPass: boolean; adapterApplied: boolean; error?: string };
  /** On a graph mutation: its number in the run, the added node ids, and the added edges. */
  mutation?: { seq: number; nodes: string[]; edges: { id: string; from: string; to: string }[] };
  /** `json` is the author's text; absent if it is empty or too large. */
  memory?: { key: string; json?: string };
  retry?: { attempt: number; maxAttempts: number; nextAttemptAtMs?: number };
  /** `question` is the author's JSON text. `resumedBy` is empty if the caller provided no name. */
  pause?: {
    id: string;
    question?: string;
    resumeSchema?: string;
    expiresAtMs?: number;
    resumedBy?: string;
  };
  /** On the parent of a fork: the execution that continues, and the row of the checkpoint that it continues from. */
  fork?: { child: string; checkpoint: number };
}

/** Returns the event of an entry, or `undefined` for an entry that only the engine uses. */
export function eventOf(executionId: string, entry: JournalEntry): RunEvent | undefined {
  const head = { eventUlid: entry.id, executionId, timestampMs: entry.at };
  switch (entry.type) {
    case 'NODE_STARTED':
      return { type: entry.type, ...head, ...placeOf(entry), input: entry.input };
    case 'NODE_COMPLETED':
      return { type: entry.type, ...head, ...placeOf(entry), output: entry.output, ...endOf(entry) };
    case 'NODE_FAILED':
      return {
        type: entry.type,
        ...head,
        ...placeOf(entry),
        ...failureOf(entry),
        ...(entry.streamed && { streamed: entry.streamed }),
        ...endOf(entry),
      };
    case 'NODE_LOG': {
      const { level, message } = entry;
      return { type: entry.type, ...head, ...placeOf(entry), log: { level, message } };
    }
    case 'NODE_PROGRESS': {
      const { kind, json, seq } = entry;
      return { type: entry.type, ...head, ...placeOf(entry), progress: { kind, json, seq } };
    }
    case 'NODE_FRAME':
    case 'NODE_INPUT_FRAME':
      return {
        type: entry.type,
        ...head,
        ...placeOf(entry),
        frame: entry.frame,
        frameIndex: entry.index,
      };
    case 'NODE_STREAM_COMPLETE': {
      const { inputFrames, totalFrames, framesDropped } = entry;
      const streamed = { inputFrames, totalFrames, framesDropped };
      return { type: entry.type, ...head, ...placeOf(entry), streamed, ...endOf(entry) };
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
      const { attempt, maxAttempts, nextAttemptAt, message, failureKind } = entry;
      const next = nextAttemptAt === undefined ? {} : { nextAttemptAtMs: nextAttemptAt };
      const cause = message === undefined ? {} : failureOf({ message, ...(failureKind && { failureKind }) });
      return {
        type: entry.type,
        ...head,
        ...placeOf(entry),
        ...cause,
        retry: { attempt, maxAttempts, ...next },
      };
    }
    case 'HITL_PAUSED': {
      const { pauseId: id, question, resumeSchema, expiresAt: expiresAtMs } = entry;
      const pause = { id, question, resumeSchema, expiresAtMs };
      return { type: entry.type, ...head, ...placeOf(entry), ...endOf(entry), pause };
    }
    case 'HITL_RESUMED': {
      const { pauseId: id, resumedBy } = entry;
      return { type: entry.type, ...head, ...placeOf(entry), pause: { id, resumedBy } };
    }
    case 'HITL_RESUME_FAILED':
      return {
        type: entry.type,
        ...head,
        ...placeOf(entry),
        ...failureOf(entry),
        pause: { id: entry.pauseId },
      };
    case 'HITL_TIMEOUT':
    case 'ESCALATION_TRIGGERED':
      return { type: entry.type, ...head, ...placeOf(entry), pause: { id: entry.pauseId } };
    case 'FORKED': {
      const { child, checkpoint } = entry;
      return { type: entry.type, ...head, fork: { child, checkpoint } };
    }
    case 'FLOW_COMPLETED':
      return { type: entry.type, ...head, output: entry.output };
    case 'FLOW_FAILED': {
      const { failurePayload } = entry;
      return {
        type: entry.type,
        ...head,
        ...failureOf(entry),
        ...(failurePayload === undefined ? {} : { failurePayload }),
      };
    }
    case 'admitted':
    case 'fork_began':
    case 'taken_over':
    case 'branch_opened':
    case 'branch_ended':
    case 'survived':
    case 'pause_requested':
    case 'pause_cancelled':
    case 'streamed':
    case 'progress_dropped':
      return undefined;
  }
}

/** Returns the event with its messages loaded. */
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
    ...(event.frame && { frame: await load(event.frame) }),
  };
}

function placeOf({ node, branch }: { node: string; branch: string }): {
  nodeId: string;
  instanceId: string;
} {
  return { nodeId: node, instanceId: branch };
}

function failureOf({ message, failureKind }: Pick<NodeFailed, 'message' | 'failureKind'>): {
  errorMessage: string;
  failureKind?: FailureKind;
} {
  return { errorMessage: message, ...(failureKind && { failureKind }) };
}

function endOf({ mocked, progressDropped }: { mocked?: true; progressDropped?: number }): object {
  return { ...(mocked && { mocked }), ...(progressDropped !== undefined && { progressDropped }) };
}
