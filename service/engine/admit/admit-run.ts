import { dailyCaps } from '../../access/daily-quota.ts';
import type { DeclaredSecrets, SecretUser } from '../../access/secrets/declared-secrets.ts';
import {
  blobStorageUnavailable,
  configProfileNotFound,
  flowNotFound,
  flowNotQueued,
  inflightExceeded,
  pipelineNotInvocable,
  quotaExceeded,
  secretNotConfigured,
} from '../../errors/flow-errors.ts';
import type { Json } from '../../errors/api-error.ts';
import type { Admission, DailyCaps, RunOutcome } from '../../store/hot/run-operation.ts';
import type { Tenant } from '../../store/tenants.ts';
import type { SpanContext } from '../../telemetry/trace-context.ts';
import type { CompiledGraph } from '../graph/compiled-graph.ts';
import type { LoadedGraph } from '../graph/loaded-graph.ts';
import type { GraphShape } from '../run/graph-shape.ts';
import { encodeEntries } from '../run/journal-codec.ts';
import type { JournalEntry } from '../run/journal-entry.ts';
import type { RunParts } from '../run/run-parts.ts';
import { createNextActions, type NextActions } from '../run/next-actions.ts';
import { newRunState, type RunState } from '../run/run-state.ts';
import { columnText, executionOf } from '../run/transition.ts';

/** One invocation of a flow. */
export interface InvokeRequest {
  graphId: string;
  /** Serialized input of the entry. */
  input: Uint8Array | undefined;
  /** In place of the input: why what was sent does not fit. The run is accepted and fails with it (DESIGN.md 7). */
  inputError?: string | undefined;
  /** Names a config profile. */
  configId?: string | undefined;
  /** What identical requests share within the window; explicit keys and fingerprints do not mix. */
  idempotency: { kind: 'key' | 'fingerprint'; hash: string };
  debugSessionId?: string | undefined;
  /** The span that the caller's `traceparent` names. */
  invokedBy?: SpanContext | undefined;
  /** Id of the app key that asks. */
  startedBy?: string | undefined;
}

/** A run that stands in the database, and what of it goes on from here. */
export interface AdmittedRun {
  loaded: LoadedGraph;
  state: RunState;
  /** Decides for `state`. */
  actions: NextActions;
  /** The entries of the row that is committed. */
  first: JournalEntry[];
  /** What follows and is not yet committed. */
  pending: JournalEntry[];
  caps: DailyCaps;
}

export interface AdmitOptions {
  parts: Pick<RunParts, 'writer' | 'blobs' | 'clock' | 'ids' | 'logger'>;
  replica: string;
  graphs: { load(tenantId: string, graphId: string): Promise<LoadedGraph | undefined> };
  shapeOf: (loaded: LoadedGraph) => GraphShape;
  config: (
    tenantId: string,
    graph: CompiledGraph,
    configId: string | undefined,
  ) => Promise<Record<string, Json | undefined> | undefined>;
  /** Whether the tenant has every secret that a node declares. */
  checkSecrets: (tenantId: string, node: SecretUser) => DeclaredSecrets | Promise<DeclaredSecrets>;
  /** Whether this process has room for another run; otherwise it is queued for whoever has. */
  hasRoom: () => boolean;
}

export type AdmitOutcome =
  | { kind: 'admitted'; run: AdmittedRun }
  | { kind: 'queued'; executionId: string; graph: CompiledGraph }
  | { kind: 'duplicate'; executionId: string; graph: CompiledGraph };

/**
 * Accepts an invocation in one transaction: its key, its quotas, its execution and the first row of its journal.
 *
 * @throws ApiError with the texts of SPEC.md, Errors
 */
export async function admitRun(
  { parts, replica, graphs, shapeOf, config, checkSecrets, hasRoom }: AdmitOptions,
  tenant: Tenant,
  request: InvokeRequest,
): Promise<AdmitOutcome> {
  const { clock, ids } = parts;
  const loaded = await graphs.load(tenant.id, request.graphId);
  if (!loaded) throw flowNotFound();
  const { graph } = loaded;
  if (graph.mode === 'pipeline') throw pipelineNotInvocable();
  const profile = await config(tenant.id, graph, request.configId);
  if (!profile) throw configProfileNotFound(request.configId ?? '');

  for (const { id: name, requiredSecrets } of graph.nodes) {
    const found = await checkSecrets(tenant.id, { name, requiredSecrets });
    if (!found.ok) throw secretNotConfigured(found.message);
  }

  const shape = shapeOf(loaded);
  const state = newRunState(ids.executionId());
  const { executionId } = state;
  const actions = createNextActions({ graph: loaded, shape, state, ids, now: () => clock.now() });
  const { input = new Uint8Array(), inputError, debugSessionId, invokedBy, startedBy } = request;
  const here = hasRoom();
  actions.note({
    type: 'admitted',
    config: profile,
    // The first step holds it too: kept here only for whoever will start it.
    ...(here ? {} : { input }),
    ...(debugSessionId === undefined ? {} : { debugSessionId }),
    ...(invokedBy === undefined ? {} : { invokedBy }),
    ...(startedBy === undefined ? {} : { startedBy }),
  });
  if (inputError !== undefined) actions.abort({ status: 'FAILED', message: inputError });
  else if (here) actions.start(input);

  const { first, pending } = firstRow(actions.take(), input);
  const over = pending.length === 0 ? state.end : undefined;
  const now = clock.now();
  const begun = executionOf(
    { tenantId: tenant.id, executionId, graph },
    { id: executionId, at: first[0]?.at ?? now },
  );
  const caps = dailyCaps(tenant);
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
    keyHash: `${request.idempotency.kind}:${request.idempotency.hash}`,
    caps,
    ...(tenant.limits.inflight !== undefined && { inflight: tenant.limits.inflight }),
  });
  if (outcome.kind !== 'done' && outcome.kind !== 'fenced') await row.forget();
  switch (outcome.kind) {
    case 'duplicate':
      return { kind: 'duplicate', executionId: outcome.executionId, graph };
    case 'over_quota':
      throw quotaExceeded(outcome.quota, { cap: outcome.cap, now });
    case 'over_inflight':
      throw inflightExceeded(outcome.cap);
    case 'fenced':
      throw flowNotQueued();
    case 'done':
      return here || over
        ? { kind: 'admitted', run: { loaded, state, actions, first, pending, caps } }
        : { kind: 'queued', executionId, graph };
  }
}

/**
 * Fixtures may answer all the way to a branch, which may be over quota: that concerns the run, not its admission. Nothing of what
 * they answered is admitted then, since whoever takes the run up goes on from calls under way, and there may be none; with its
 * input he starts it anew, and fixtures answer the same.
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

/** @returns `forget` removes what was stored beside the row, of which nothing tells when it is not committed */
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
        logger.warn({ err: error, execution: executionId }, 'a blob that nothing needs could not be removed');
      });
    };
    return { body, forget };
  } catch (error) {
    logger.error({ err: error }, 'a blob could not be stored');
    throw blobStorageUnavailable();
  }
}

/** A commit that broke off may have been made: asking again tells, by the key that it then has taken. */
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
