import { setTimeout as wait } from 'node:timers/promises';
import { dailyCaps } from '../../access/daily-quota.ts';
import type { Admission, Fork, RunOutcome } from '../../store/commit/run-operation.ts';
import type { Database } from '../../store/database.ts';
import { deleteJournal } from '../../store/journal.ts';
import type { Tenant } from '../../store/tenants.ts';
import {
  encodeFirstRow,
  type Idempotency,
  keyHashOf,
  refusalOf,
  storeAdmission,
} from '../admit/store-admission.ts';
import { topicSession } from '../follow/topic-session.ts';
import type { LoadedGraph } from '../graph/loaded-graph.ts';
import type { ForkBegan } from '../journal/entry.ts';
import type { GraphShape } from '../journal/graph-shape.ts';
import type { LocalRuns } from '../run/local-runs.ts';
import { NextActions } from '../run/next-actions.ts';
import { parkUntil } from '../run/park-until.ts';
import type { RunParts } from '../run/run-parts.ts';
import { executionOf, indexChanges, type RunIdentity } from '../run/transition.ts';
import { copyHistory } from './copy-history.ts';
import { type EndedParent, endOfParent } from './end-parent.ts';
import type { ForkPoint } from './fork-point.ts';

/** Dependencies for storing a fork and continuing it. */
export interface AdmitForkOptions {
  db: Database;
  parts: RunParts;
  /** Id of this replica, which owns the fork if it continues here. */
  replica: string;
  runs: LocalRuns;
  /** Reports whether this process has room for another run. */
  hasRoom: () => boolean;
  /** Called with a refused fork whose commit may have succeeded. If it did, this process must pick up the fork. */
  inDoubt: (run: { tenantId: string; executionId: string }) => void;
}

interface Parent {
  tenant: Tenant;
  executionId: string;
  /** The flow as compiled. */
  loaded: LoadedGraph;
  shape: GraphShape;
}

interface NewFork {
  point: ForkPoint;
  /** The flow with the mutations of the history. */
  graph: LoadedGraph;
  shape: GraphShape;
  /** Serialized input of the pending node. */
  input: Uint8Array | undefined;
  began: Pick<ForkBegan, 'config' | 'debugSessionId' | 'invokedBy'>;
  idempotency: Idempotency;
  /** If it aborts before the commit begins, the fork is not committed. */
  signal: AbortSignal | undefined;
}

type Child = Awaited<ReturnType<typeof prepareChild>>;

/** Maximum attempts to end a parent whose journal keeps growing, and the delay between attempts in milliseconds. */
const maxAttempts = 20;
const retryMs = 5;

/**
 * Stores the history of a fork, and commits its admission together with the end of an open parent.
 *
 * @returns the fork's execution id, or for a duplicate the execution id of the earlier request with the same key
 * @throws ApiError 429 or 503. Nothing of the fork remains, unless the outcome of its commit is unknown. If it is
 *   committed, the fork runs.
 */
export async function admitFork(
  options: AdmitForkOptions,
  parent: Parent,
  fork: NewFork,
): Promise<{ executionId: string; duplicate: boolean }> {
  const { parts, runs } = options;
  const { tenant, loaded } = parent;
  const executionId = parts.ids.executionId();
  const forget = () => forgetHistory(options, { tenantId: tenant.id, executionId });
  let child: Child;
  try {
    child = await prepareChild(options, parent, fork, executionId);
    fork.signal?.throwIfAborted();
  } catch (error) {
    await forget();
    throw error;
  }
  // After an error, the fork may still be committed, so its history is kept.
  const { outcome, ended } = await commitFork(options, parent, fork, child);
  if (outcome.kind !== 'done') await forget();
  switch (outcome.kind) {
    case 'done':
      break;
    case 'duplicate':
      return { executionId: outcome.executionId, duplicate: true };
    default:
      throw refusalOf(outcome, parts.clock.now());
  }
  if (ended) runs.concluded(tenant, loaded, ended);
  if (child.here) runs.activate(tenant, fork.graph, child.run);
  else runs.begin(tenant, fork.graph, child.run);
  return { executionId, duplicate: false };
}

/** Stores the history of a fork, and builds its first row. */
async function prepareChild(
  { db, parts, hasRoom }: AdmitForkOptions,
  { tenant, executionId: parent, shape: base }: Parent,
  { point, graph, shape, input, began, signal }: NewFork,
  executionId: string,
) {
  const { clock, ids } = parts;
  const tenantId = tenant.id;
  const state = await copyHistory(
    { db, parts, shape: base, signal },
    { tenantId, executionId: parent },
    executionId,
    point,
  );
  const actions = new NextActions({ graph, shape, state, ids, now: () => clock.now() });
  actions.fork({ ...began, parent, checkpoint: point.seq }, input);
  const first = actions.take();
  const { body } = await encodeFirstRow(parts, { tenantId, executionId }, first);
  const releaseUntil = actions.isInterrupted ? undefined : parkUntil(state, clock.now() + parts.parkAfterMs);
  const here = releaseUntil === undefined && hasRoom();
  const seq = point.seq + 1;
  const run = { state, actions, first, pending: [], seq: seq + 1, caps: dailyCaps(tenant) };
  return { executionId, run, seq, body, here, releaseUntil };
}

async function commitFork(
  { db, parts, replica, runs, inDoubt }: AdmitForkOptions,
  { tenant, executionId, loaded, shape }: Parent,
  { point, began, idempotency }: NewFork,
  child: Child,
): Promise<{ outcome: RunOutcome; ended: EndedParent | undefined }> {
  const { graph } = loaded;
  const identity = (id: string): RunIdentity => ({ tenantId: tenant.id, executionId: id, graph });
  const own = identity(child.executionId);
  const { run, seq, body, here, releaseUntil } = child;
  const at = parts.clock.now();
  const { pauses } = indexChanges(own, { seq, entries: run.first });
  const row: Fork = {
    seq,
    branches: [...run.state.branches].map((id) => executionOf(own, { id, at, root: child.executionId })),
    ...(pauses && { pauses }),
    ...(releaseUntil !== undefined && { releaseUntil }),
  };
  const execution = {
    ...executionOf(own, { id: child.executionId, at }),
    // A run that only waits is parked, not queued.
    status: here || releaseUntil !== undefined ? ('RUNNING' as const) : ('QUEUED' as const),
    forkedFromExecutionId: executionId,
    mutationSeq: run.state.mutations.length,
  };
  const { inflight } = tenant.limits;
  const admission: Admission = {
    kind: 'admit',
    execution,
    owner: here ? replica : '',
    body,
    keyHash: keyHashOf(idempotency),
    caps: run.caps,
    ...(inflight !== undefined && { inflight }),
    ...(began.debugSessionId !== undefined && {
      topic: { session: topicSession(tenant.id, began.debugSessionId) },
    }),
  };
  const attempt = async (): Promise<{ outcome: RunOutcome; ended: EndedParent | undefined }> => {
    const names = { child: child.executionId, checkpoint: point.seq };
    const ended = await endOfParent(db, parts, { run: identity(executionId), shape }, names);
    const together = { ...row, ...(ended && { parent: ended.row }) };
    return { outcome: await storeAdmission(parts, { ...admission, fork: together }, inDoubt), ended };
  };
  for (let attempts = 1; ; attempts += 1) {
    const active = runs.active.get(executionId);
    const committed = await (active ? active.hold(attempt) : attempt());
    if (committed.outcome.kind !== 'fenced' || attempts === maxAttempts) return committed;
    await wait(retryMs);
  }
}

/**
 * Deletes the history of a fork that was not admitted. If that fails, the rest is deleted later with other journals
 * of the same age.
 */
async function forgetHistory(
  { db, parts }: AdmitForkOptions,
  { tenantId, executionId }: { tenantId: string; executionId: string },
): Promise<void> {
  try {
    await deleteJournal(db.knex, { tenantId, executionId });
    await parts.blobs.remove(tenantId, executionId);
  } catch (error) {
    parts.logger.warn(
      { err: error, execution: executionId },
      'the history of a refused fork could not be deleted',
    );
  }
}
