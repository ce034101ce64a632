import { dailyCaps } from '../../access/daily-quota.ts';
import {
  configProfileNotFound,
  flowNotFound,
  invokedInOtherMode,
  mockedFlowInvoked,
  quotaExceeded,
} from '../../errors/flow-errors.ts';
import { invalidBody } from '../../errors/request-errors.ts';
import type { MessageWorkers } from '../../messages/convert/message-workers.ts';
import { type SentMessage, serializeMessage } from '../../nodes/call/message-form.ts';
import type { Admission, DailyCaps } from '../../store/commit/run-operation.ts';
import type { Tenant } from '../../store/tenants.ts';
import { topicSession } from '../follow/topic-session.ts';
import type { CompiledGraph, ConfigProfile, FlowMode } from '../graph/compiled-graph.ts';
import type { LoadedGraph } from '../graph/loaded-graph.ts';
import type { GraphShape } from '../journal/graph-shape.ts';
import type { AdmittedRun } from '../run/local-runs.ts';
import { reportRunEnd } from '../run/report-run-end.ts';
import { causeOf, executionOf } from '../run/transition.ts';
import type { AdmittedInput } from './began-with.ts';
import { beginRun, type BegunRun, type RunOrigin } from './begin-run.ts';
import {
  type AdmissionParts,
  encodeFirstRow,
  findRepetition,
  type Idempotency,
  keyHashOf,
  quotaUsedUp,
  refusalOf,
  requireSecrets,
  type SecretCheck,
  storeAdmission,
} from './store-admission.ts';

/** One invocation of a flow. */
export interface InvokeRequest extends RunOrigin {
  graphId: string;
  /** The mode that the flow must have. */
  mode: FlowMode;
  /** The entry's input message. An input that does not fit its type is accepted, and the run fails with the reason. */
  input: SentMessage;
  /** Name of a config profile. */
  configId?: string | undefined;
  idempotency: Idempotency;
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
  ) => Promise<ConfigProfile | undefined>;
  checkSecrets: SecretCheck;
  /** Reports whether this process has room for another run. Without room, the run is queued for any replica. */
  hasRoom: () => boolean;
  /** Called with a refused run whose commit may have succeeded. If it did, this process must pick up the run. */
  inDoubt: (run: { tenantId: string; executionId: string }) => void;
}

/** `loaded` and `input` are the request's flow and input. The execution of a duplicate may run another flow. */
type AdmitOutcome = { executionId: string; loaded: LoadedGraph } & (
  { kind: 'admitted'; run: AdmittedRun } | { kind: 'queued' } | { kind: 'duplicate'; input: AdmittedInput }
);

/**
 * Admits an invocation in one transaction: idempotency key, quotas, execution and first journal row. Loads the flow
 * once.
 *
 * @throws ApiError if the invocation is refused. Nothing is stored then, unless the outcome of the commit is unknown.
 */
export async function admitRun(
  options: AdmitOptions,
  tenant: Tenant,
  request: InvokeRequest,
): Promise<AdmitOutcome> {
  const { parts, messages, shapeOf, hasRoom, inDoubt } = options;
  const { loaded, config } = await requireFlow(options, tenant, request);
  const { graph } = loaded;
  const caps = dailyCaps(tenant);
  const repeated = await repetitionBeyondQuota(parts, tenant.id, { graph, request, caps });

  const { registry, input: inputType } = loaded.node(graph.entry);
  const caller = { tenantId: tenant.id, signal: request.signal };
  const task = { registry, typeName: inputType.typeName, ...caller };
  const serialized = await serializeMessage(messages, task, request.input);
  const input: AdmittedInput = serialized.ok ? serialized.value : 'invalid';
  if (repeated !== undefined) return { kind: 'duplicate', executionId: repeated, loaded, input };
  if (!serialized.ok && serialized.error.code === 'not_json') {
    throw invalidBody('invocation', `input: ${serialized.error.detail ?? serialized.error.message}`);
  }

  // A stream starts in the process that its reader is connected to.
  const isHere = graph.mode === 'pipeline' || hasRoom();
  const begun = beginRun(parts, loaded, {
    shape: shapeOf(loaded),
    config,
    input: serialized,
    isHere,
    origin: request,
  });
  const { state, actions, first, pending, end } = begun;
  const { executionId } = state;
  const { body, forget } = await encodeFirstRow(parts, { tenantId: tenant.id, executionId }, first);
  const admission = admissionOf(options, begun, { tenant, graph, request, caps, body, isHere });
  const outcome = await storeAdmission(parts, admission, inDoubt);
  if (outcome.kind !== 'done' && outcome.kind !== 'fenced') await forget();
  switch (outcome.kind) {
    case 'duplicate':
      return { kind: 'duplicate', executionId: outcome.executionId, loaded, input };
    case 'done':
      reportRunEnd(parts, { tenantId: tenant.id, executionId, graph }, first);
      return isHere || end
        ? { kind: 'admitted', executionId, loaded, run: { state, actions, first, pending, seq: 1, caps } }
        : { kind: 'queued', executionId, loaded };
    default:
      throw refusalOf(outcome, admission.execution.createdAt);
  }
}

/** Loads the flow and its config. Throws if the caller may not run it as requested. */
async function requireFlow(
  { graphs, config, checkSecrets }: AdmitOptions,
  { id: tenantId }: Tenant,
  { graphId, mode, configId, startedBy, debugSessionId }: InvokeRequest,
): Promise<{ loaded: LoadedGraph; config: ConfigProfile }> {
  const loaded = await graphs.load(tenantId, graphId);
  if (!loaded) throw flowNotFound();
  const { graph } = loaded;
  if (graph.mode !== mode) throw invokedInOtherMode(graph.mode);
  if (startedBy !== undefined && graph.mockedNodes.length > 0) throw mockedFlowInvoked();
  const profile = await config(tenantId, graph, configId);
  if (!profile) throw configProfileNotFound(configId ?? '');
  await requireSecrets(checkSecrets, tenantId, graph, debugSessionId !== undefined);
  return { loaded, config: profile };
}

/**
 * Returns the execution that a request repeats if a quota is known to be exhausted, or `undefined` if none is.
 *
 * @throws ApiError 429 if a quota is exhausted and the request is not a repetition
 */
async function repetitionBeyondQuota(
  parts: AdmissionParts,
  tenantId: string,
  { graph, request, caps }: { graph: CompiledGraph; request: InvokeRequest; caps: DailyCaps },
): Promise<string | undefined> {
  const quota = quotaUsedUp(request.usage, caps);
  if (!quota) return undefined;
  const executionId = await findRepetition(parts, { tenantId, graph, idempotency: request.idempotency });
  if (executionId === undefined) throw quotaExceeded(quota, { cap: caps[quota], now: parts.clock.now() });
  return executionId;
}

/** The transaction that admits a run: its record, with its end if the first row has one, and its first row. */
function admissionOf(
  { parts, replica }: AdmitOptions,
  { state: { executionId }, first, end }: BegunRun,
  { tenant, graph, request, caps, body, isHere }: AdmissionDetails,
): Admission {
  const tenantId = tenant.id;
  const execution = executionOf(
    { tenantId, executionId, graph },
    { id: executionId, at: first[0]?.at ?? parts.clock.now() },
  );
  const { inflight } = tenant.limits;
  const { debugSessionId, startedBy } = request;
  return {
    kind: 'admit',
    execution: end
      ? {
          ...execution,
          status: end.type === 'FLOW_COMPLETED' ? 'COMPLETED' : end.status,
          ...causeOf(end.type === 'FLOW_COMPLETED' ? {} : end),
          updatedAt: end.at,
          completedAt: end.at,
        }
      : { ...execution, status: isHere ? 'RUNNING' : 'QUEUED' },
    owner: end ? null : isHere ? replica : '',
    body,
    keyHash: keyHashOf(request.idempotency),
    caps,
    ...(inflight !== undefined && { inflight }),
    ...(debugSessionId !== undefined && {
      topic: { session: topicSession(tenantId, debugSessionId), appKey: startedBy },
    }),
  };
}

interface AdmissionDetails {
  tenant: Tenant;
  graph: CompiledGraph;
  request: InvokeRequest;
  caps: DailyCaps;
  /** The encoded first row. */
  body: string;
  isHere: boolean;
}
