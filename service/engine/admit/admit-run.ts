import { dailyCaps } from '../../access/daily-quota.ts';
import type { Json } from '../../errors/api-error.ts';
import {
  configProfileNotFound,
  flowNotFound,
  flowNotQueued,
  inflightExceeded,
  invokedInOtherMode,
  mockedFlowInvoked,
  quotaExceeded,
} from '../../errors/flow-errors.ts';
import { invalidBody } from '../../errors/request-errors.ts';
import type { MessageWorkers } from '../../messages/convert/message-workers.ts';
import { type SentMessage, serializeMessage } from '../../nodes/call/message-form.ts';
import type { Admission, DailyCaps } from '../../store/commit/run-operation.ts';
import type { Tenant } from '../../store/tenants.ts';
import type { SpanContext } from '../../telemetry/trace-context.ts';
import { topicSession } from '../follow/topic-session.ts';
import type { CompiledGraph, FlowMode } from '../graph/compiled-graph.ts';
import type { LoadedGraph } from '../graph/loaded-graph.ts';
import type { JournalEntry } from '../journal/entry.ts';
import type { GraphShape } from '../journal/graph-shape.ts';
import { newRunState } from '../journal/state.ts';
import type { AdmittedRun } from '../run/local-runs.ts';
import { NextActions } from '../run/next-actions.ts';
import { reportRunEnd } from '../run/report-run-end.ts';
import { causeOf, executionOf } from '../run/transition.ts';
import type { AdmittedInput } from './began-with.ts';
import {
  type AdmissionParts,
  encodeFirstRow,
  findRepetition,
  type Idempotency,
  keyHashOf,
  quotaUsedUp,
  requireSecrets,
  type SecretCheck,
  storeAdmission,
} from './store-admission.ts';

/** One invocation of a flow. */
export interface InvokeRequest {
  graphId: string;
  /** The mode that the flow must have. */
  mode: FlowMode;
  /** The entry's input message. An input that does not fit its type is accepted, and the run fails with the reason. */
  input: SentMessage;
  /** Name of a config profile. */
  configId?: string | undefined;
  idempotency: Idempotency;
  debugSessionId?: string | undefined;
  /** The span that the caller's `traceparent` names. */
  invokedBy?: SpanContext | undefined;
  /** Id of the calling app key. */
  startedBy?: string | undefined;
  /** Aborts when the caller leaves before the run is committed. */
  signal?: AbortSignal | undefined;
  /** The tenant's use of its daily quotas before the request, if known. */
  usage?: DailyCaps | undefined;
}

interface AdmitOptions {
  parts: AdmissionParts;
  replica: string;
  graphs: { load(tenantId: string, graphId: string): Promise<LoadedGraph | undefined> };
  messages: Pick<MessageWorkers, 'convert'>;
  shapeOf: (loaded: LoadedGraph) => GraphShape;
  config: (
    tenantId: string,
    graph: CompiledGraph,
    configId: string | undefined,
  ) => Promise<Record<string, Json | undefined> | undefined>;
  checkSecrets: SecretCheck;
  /** Reports whether this process has room for another run. Without room, the run is queued for any replica. */
  hasRoom: () => boolean;
  /** The run may be committed although it is refused. If it is committed, this process has to pick it up. */
  inDoubt: (run: { tenantId: string; executionId: string }) => void;
}

/** `loaded` and `input` are the request's flow and input. The execution of a duplicate may run another flow. */
type AdmitOutcome = { executionId: string; loaded: LoadedGraph } & (
  { kind: 'admitted'; run: AdmittedRun } | { kind: 'queued' } | { kind: 'duplicate'; input: AdmittedInput }
);

/**
 * Accepts an invocation in one transaction: idempotency key, quotas, execution and first journal row. Loads the flow once.
 *
 * @throws ApiError if the invocation is refused; it then leaves nothing behind, unless its commit is in doubt
 */
export async function admitRun(
  { parts, replica, graphs, messages, shapeOf, config, checkSecrets, hasRoom, inDoubt }: AdmitOptions,
  tenant: Tenant,
  request: InvokeRequest,
): Promise<AdmitOutcome> {
  const { clock, ids } = parts;
  const loaded = await graphs.load(tenant.id, request.graphId);
  if (!loaded) throw flowNotFound();
  const { graph } = loaded;
  if (graph.mode !== request.mode) throw invokedInOtherMode(graph.mode);
  const streams = graph.mode === 'pipeline';
  if (request.startedBy !== undefined && graph.mockedNodes.length > 0) throw mockedFlowInvoked();
  const profile = await config(tenant.id, graph, request.configId);
  if (!profile) throw configProfileNotFound(request.configId ?? '');

  await requireSecrets(checkSecrets, tenant.id, graph, request.debugSessionId !== undefined);
  const { registry, input: inputType } = loaded.node(graph.entry);
  const caller = { tenantId: tenant.id, signal: request.signal };
  const task = { registry, typeName: inputType.typeName, ...caller };
  const caps = dailyCaps(tenant);
  const usedUp = quotaUsedUp(request.usage, caps);
  if (usedUp) {
    const executionId = await findRepetition(parts, {
      tenantId: tenant.id,
      graph,
      idempotency: request.idempotency,
    });
    if (executionId !== undefined) {
      const read = await serializeMessage(messages, task, request.input);
      return { kind: 'duplicate', executionId, loaded, input: read.ok ? read.value : 'invalid' };
    }
    throw quotaExceeded(usedUp, { cap: caps[usedUp], now: clock.now() });
  }
  const serialized = await serializeMessage(messages, task, request.input);
  if (!serialized.ok && serialized.error.code === 'not_json') {
    throw invalidBody('invocation', `input: ${serialized.error.detail ?? serialized.error.message}`);
  }
  const input = serialized.ok ? serialized.value : new Uint8Array();

  const state = newRunState(ids.executionId());
  const { executionId } = state;
  const shape = shapeOf(loaded);
  const actions = new NextActions({ graph: loaded, shape, state, ids, now: () => clock.now() });
  const { debugSessionId, invokedBy, startedBy } = request;
  // A stream starts in the process that its reader is connected to.
  const here = streams || hasRoom();
  actions.note({
    type: 'admitted',
    config: profile,
    // The first step also holds the input. A stream, or a run that starts elsewhere, has no first step yet.
    ...(here && !streams ? {} : { input }),
    ...(debugSessionId === undefined ? {} : { debugSessionId }),
    ...(invokedBy === undefined ? {} : { invokedBy }),
    ...(startedBy === undefined ? {} : { startedBy }),
  });
  if (!serialized.ok) {
    const { message } = serialized.error;
    actions.abort({ status: 'FAILED', message, failureKind: 'INPUT_INVALID' });
  }
  if (serialized.ok && here && !streams) actions.start(input);

  const { first, pending } = firstRow(actions.take(), input);
  const over = pending.length === 0 ? state.end : undefined;
  const now = clock.now();
  const begun = executionOf(
    { tenantId: tenant.id, executionId, graph },
    { id: executionId, at: first[0]?.at ?? now },
  );
  const row = await encodeFirstRow(parts, { tenantId: tenant.id, executionId }, first);
  const admission: Admission = {
    kind: 'admit',
    execution: over
      ? {
          ...begun,
          status: over.type === 'FLOW_COMPLETED' ? 'COMPLETED' : over.status,
          ...causeOf(over.type === 'FLOW_COMPLETED' ? {} : over),
          updatedAt: over.at,
          completedAt: over.at,
        }
      : { ...begun, status: here ? 'RUNNING' : 'QUEUED' },
    owner: over ? null : here ? replica : '',
    body: row.body,
    keyHash: keyHashOf(request.idempotency),
    caps,
    ...(tenant.limits.inflight !== undefined && { inflight: tenant.limits.inflight }),
    ...(debugSessionId !== undefined && {
      topic: { session: topicSession(tenant.id, debugSessionId), appKey: startedBy },
    }),
  };
  const outcome = await storeAdmission(parts, admission, inDoubt);
  if (outcome.kind !== 'done' && outcome.kind !== 'fenced') await row.forget();
  switch (outcome.kind) {
    case 'duplicate':
      return {
        kind: 'duplicate',
        executionId: outcome.executionId,
        loaded,
        input: serialized.ok ? serialized.value : 'invalid',
      };
    case 'over_quota':
      throw quotaExceeded(outcome.quota, { cap: outcome.cap, now });
    case 'over_inflight':
      throw inflightExceeded(outcome.cap);
    case 'fenced':
      throw flowNotQueued();
    case 'done':
      reportRunEnd(parts, { tenantId: tenant.id, executionId, graph }, first);
      return here || over
        ? { kind: 'admitted', executionId, loaded, run: { state, actions, first, pending, seq: 1, caps } }
        : { kind: 'queued', executionId, loaded };
  }
}

/**
 * Splits the entries into the first row and the rest. Mocks may answer calls up to a branch that exceeds the quota: this
 * fails the run, not its admission. In that case no answer of a mock is admitted, because a takeover continues from open calls, and
 * there may be none. A takeover then restarts the run from its input, and mocks give the same answers.
 */
function firstRow(
  entries: JournalEntry[],
  input: Uint8Array,
): { first: JournalEntry[]; pending: JournalEntry[] } {
  const [admitted, ...rest] = entries;
  if (admitted?.type !== 'admitted' || !rest.some(({ type }) => type === 'branch_opened')) {
    return { first: entries, pending: [] };
  }
  return { first: [{ ...admitted, input }], pending: rest };
}
