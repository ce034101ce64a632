import { dailyCaps } from '../../access/daily-quota.ts';
import type { DeclaredSecrets, SecretUser } from '../../access/secrets/declared-secrets.ts';
import type { Json } from '../../errors/api-error.ts';
import {
  blobStorageUnavailable,
  configProfileNotFound,
  flowNotFound,
  flowNotQueued,
  inflightExceeded,
  invokedInOtherMode,
  mockedFlowInvoked,
  quotaExceeded,
  secretsRefused,
} from '../../errors/flow-errors.ts';
import { invalidBody } from '../../errors/request-errors.ts';
import type { MessageWorkers } from '../../messages/convert/message-workers.ts';
import { type SentMessage, serializeMessage } from '../../nodes/call/message-form.ts';
import { columnText } from '../../store/column-text.ts';
import type { Admission, DailyCaps, Quota, RunOutcome } from '../../store/commit/run-operation.ts';
import type { Tenant } from '../../store/tenants.ts';
import type { SpanContext } from '../../telemetry/trace-context.ts';
import type { CompiledGraph, FlowMode } from '../graph/compiled-graph.ts';
import type { LoadedGraph } from '../graph/loaded-graph.ts';
import { encodeEntries } from '../journal/codec.ts';
import type { JournalEntry } from '../journal/entry.ts';
import type { GraphShape } from '../journal/graph-shape.ts';
import { newRunState } from '../journal/state.ts';
import type { AdmittedRun } from '../run/local-runs.ts';
import { NextActions } from '../run/next-actions.ts';
import type { RunParts } from '../run/run-parts.ts';
import { executionOf } from '../run/transition.ts';

/** One invocation of a flow. */
export interface InvokeRequest {
  graphId: string;
  /** The mode that the flow must have. */
  mode: FlowMode;
  /** The entry's input message. An input that does not fit its type is accepted, and the run fails with the reason. */
  input: SentMessage;
  /** Name of a config profile. */
  configId?: string | undefined;
  /** Identifies repeated requests within the idempotency window. Keys and fingerprints never match each other. */
  idempotency: { kind: 'key' | 'fingerprint'; hash: string };
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
  parts: Pick<RunParts, 'writer' | 'blobs' | 'clock' | 'ids' | 'logger'>;
  replica: string;
  graphs: { load(tenantId: string, graphId: string): Promise<LoadedGraph | undefined> };
  messages: Pick<MessageWorkers, 'convert'>;
  shapeOf: (loaded: LoadedGraph) => GraphShape;
  config: (
    tenantId: string,
    graph: CompiledGraph,
    configId: string | undefined,
  ) => Promise<Record<string, Json | undefined> | undefined>;
  /** Checks that the run may use every secret that a node declares. */
  checkSecrets: (
    tenantId: string,
    node: SecretUser,
    use: { development: boolean },
  ) => DeclaredSecrets | Promise<DeclaredSecrets>;
  /** Reports whether this process has room for another run. Without room, the run is queued for any replica. */
  hasRoom: () => boolean;
}

/** `loaded` is the flow of the request. A duplicate's execution may run another one. */
type AdmitOutcome = { executionId: string; loaded: LoadedGraph } & (
  { kind: 'admitted'; run: AdmittedRun } | { kind: 'queued' | 'duplicate' }
);

/**
 * Accepts an invocation in one transaction: idempotency key, quotas, execution and first journal row. Loads the flow once.
 *
 * @throws ApiError if the invocation is refused; it then leaves nothing behind
 */
export async function admitRun(
  { parts, replica, graphs, messages, shapeOf, config, checkSecrets, hasRoom }: AdmitOptions,
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

  for (const { id: name, requiredSecrets } of graph.nodes) {
    const development = request.debugSessionId !== undefined;
    const secrets = await checkSecrets(tenant.id, { name, requiredSecrets }, { development });
    if (!secrets.ok) throw secretsRefused(secrets.reason, secrets.message);
  }
  const { registry, input: inputType } = loaded.node(graph.entry);
  const caller = { tenantId: tenant.id, signal: request.signal };
  const task = { registry, typeName: inputType.typeName, ...caller };
  const caps = dailyCaps(tenant);
  const usedUp = quotaUsedUp(request.usage, caps);
  if (usedUp) {
    const executionId = await findRepetition(parts, { tenant, graph, request });
    if (executionId !== undefined) return { kind: 'duplicate', executionId, loaded };
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
  // A stream begins where its reader is.
  const here = streams || hasRoom();
  actions.note({
    type: 'admitted',
    config: profile,
    // The first step holds the input too. A run that starts elsewhere, and a stream, has no first step yet.
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
  const outcome = await write(parts, {
    kind: 'admit',
    execution: over
      ? {
          ...begun,
          status: over.type === 'FLOW_COMPLETED' ? 'COMPLETED' : over.status,
          errorMessage: over.type === 'FLOW_COMPLETED' ? null : columnText(over.message),
          updatedAt: over.at,
          completedAt: over.at,
        }
      : { ...begun, status: here ? 'RUNNING' : 'QUEUED' },
    owner: over ? null : here ? replica : '',
    body: row.body,
    keyHash: keyHashOf(request),
    caps,
    ...(tenant.limits.inflight !== undefined && { inflight: tenant.limits.inflight }),
  });
  if (outcome.kind !== 'done' && outcome.kind !== 'fenced') await row.forget();
  switch (outcome.kind) {
    case 'duplicate':
      return { kind: 'duplicate', executionId: outcome.executionId, loaded };
    case 'over_quota':
      throw quotaExceeded(outcome.quota, { cap: outcome.cap, now });
    case 'over_inflight':
      throw inflightExceeded(outcome.cap);
    case 'fenced':
      throw flowNotQueued();
    case 'done':
      return here || over
        ? { kind: 'admitted', executionId, loaded, run: { state, actions, first, pending, caps } }
        : { kind: 'queued', executionId, loaded };
  }
}

function quotaUsedUp(usage: DailyCaps | undefined, caps: DailyCaps): Quota | undefined {
  return (['invocations', 'executions'] as const).find((quota) => usage && usage[quota] >= caps[quota]);
}

/**
 * Returns the execution that a request repeats. Tries to admit the request with caps of 0, which is refused unless it is a
 * repetition. The input of a tenant without quota is not converted for that.
 */
async function findRepetition(
  parts: AdmitOptions['parts'],
  { tenant, graph, request }: { tenant: Tenant; graph: CompiledGraph; request: InvokeRequest },
): Promise<string | undefined> {
  const id = parts.ids.executionId();
  const outcome = await write(parts, {
    kind: 'admit',
    execution: executionOf({ tenantId: tenant.id, executionId: id, graph }, { id, at: parts.clock.now() }),
    owner: null,
    body: '',
    keyHash: keyHashOf(request),
    caps: { invocations: 0, executions: 0 },
  });
  return outcome.kind === 'duplicate' ? outcome.executionId : undefined;
}

function keyHashOf({ idempotency }: InvokeRequest): string {
  return `${idempotency.kind}:${idempotency.hash}`;
}

/**
 * Splits the entries into the first row and those that follow it. Fixtures may answer as far as a branch, which may exceed the
 * quota: that fails the run, not its admission. In that case nothing that fixtures answered is admitted, because a takeover continues
 * from open calls and there may be none. A takeover then starts the run again from its input, and fixtures answer the same.
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

/** @returns `forget` deletes the blobs of the row, which nothing refers to if the row is not committed */
async function encodeFirstRow(
  { blobs, logger }: AdmitOptions['parts'],
  { tenantId, executionId }: { tenantId: string; executionId: string },
  entries: readonly JournalEntry[],
): Promise<{ body: string; forget: () => Promise<void> }> {
  let stored = false;
  try {
    const body = await encodeEntries(entries, (bytes) => {
      stored = true;
      return blobs.put(tenantId, executionId, bytes);
    });
    const forget = async (): Promise<void> => {
      if (!stored) return;
      await blobs.remove(tenantId, executionId).catch((error: unknown) => {
        logger.warn({ err: error, execution: executionId }, 'an unreferenced blob could not be deleted');
      });
    };
    return { body, forget };
  } catch (error) {
    logger.error({ err: error }, 'a blob could not be stored');
    throw blobStorageUnavailable();
  }
}

/** An interrupted commit may have succeeded. The second attempt detects that by the idempotency key. */
async function write({ writer, logger }: AdmitOptions['parts'], admission: Admission): Promise<RunOutcome> {
  for (const attempt of [1, 2]) {
    try {
      const outcome = await writer.write(admission);
      const own = outcome.kind === 'duplicate' && outcome.executionId === admission.execution.id;
      return own ? { kind: 'done' } : outcome;
    } catch (error) {
      logger.error({ err: error, attempt }, 'a run could not be stored');
    }
  }
  throw flowNotQueued();
}
