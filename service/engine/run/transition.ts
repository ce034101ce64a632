import { columnText } from '../../store/column-text.ts';
import type { Execution } from '../../store/executions.ts';
import type { EndCause, ExecutionEnd, Transition } from '../../store/commit/run-operation.ts';
import type { CompiledGraph } from '../graph/compiled-graph.ts';
import type { FlowFailed, JournalEntry, RunEnding, StepRef } from '../journal/entry.ts';
import type { RunState } from '../journal/state.ts';
import { pauseChanges } from './pause-changes.ts';
import { branchOverQuota, mutationOverQuota } from './run-texts.ts';

/** Identifies a run and its flow. */
export interface RunIdentity {
  tenantId: string;
  executionId: string;
  graph: Pick<CompiledGraph, 'graphId' | 'artifactId' | 'mutationEnabled' | 'mockedNodes'>;
}

/** Returns the changes that the entries of row `seq` make to the records of executions and pauses. */
export function indexChanges(
  run: RunIdentity,
  { seq, entries }: { seq: number; entries: readonly JournalEntry[] },
): Pick<Transition, 'branches' | 'ends' | 'mutated' | 'pauses'> {
  let mutated: Transition['mutated'];
  const branches: Execution[] = [];
  const ends: ExecutionEnd[] = [];
  for (const entry of entries) {
    switch (entry.type) {
      case 'branch_opened':
        branches.push(executionOf(run, { id: entry.branch, at: entry.at, root: run.executionId }));
        break;
      case 'branch_ended':
        ends.push({
          executionId: entry.branch,
          status: entry.status,
          ...causeOf(entry),
        });
        break;
      case 'GRAPH_MUTATED':
        mutated = { times: (mutated?.times ?? 0) + 1, seq: entry.mutation };
        break;
      case 'FLOW_COMPLETED':
        ends.push({ executionId: run.executionId, status: 'COMPLETED', ...causeOf({}) });
        break;
      case 'FLOW_FAILED':
        ends.push({
          executionId: run.executionId,
          status: entry.status,
          ...causeOf(entry),
        });
        break;
      default:
    }
  }
  const pauses = pauseChanges(run, seq, entries);
  return { branches, ends, ...(mutated && { mutated }), ...(pauses && { pauses }) };
}

/** Returns the cause with which the record of a run or a branch ends. Empty if it completed. */
export function causeOf({
  message,
  failureKind,
  node,
}: Partial<Pick<FlowFailed, 'message' | 'failureKind' | 'node'>>): EndCause {
  return {
    errorMessage: message === undefined ? null : columnText(message),
    failureKind: failureKind ?? null,
    failedNode: node ?? null,
  };
}

/** Returns the initial execution record of a run, or of a branch of `root`. */
export function executionOf(
  { tenantId, graph }: RunIdentity,
  { id, at, root = null }: { id: string; at: number; root?: string | null },
): Execution {
  return {
    tenantId,
    id,
    graphId: graph.graphId,
    graphArtifactId: graph.artifactId,
    nodeId: null,
    nodeFqn: null,
    status: 'RUNNING',
    errorMessage: null,
    failureKind: null,
    failedNode: null,
    createdAt: at,
    updatedAt: at,
    completedAt: null,
    lineageRootExecutionId: root,
    forkedFromExecutionId: null,
    mutationEnabled: graph.mutationEnabled,
    mutationSeq: 0,
    mockedNodeCount: graph.mockedNodes.length,
  };
}

/**
 * Returns the entries that replace a row whose branches and mutations exceed the quota: the entries before the first
 * of these, the cancellation of open branches and of the pending pause, and the failure of the run. Sets the end of
 * the state.
 */
export function overQuota(state: RunState, entries: readonly JournalEntry[], cap: number): JournalEntry[] {
  const first = entries.findIndex(({ type }) => type === 'branch_opened' || type === 'GRAPH_MUTATED');
  const { id, at, type } = entries[first] ?? { id: '', at: 0 };
  const kept = entries.slice(0, first);
  const opened = new Set(entries.flatMap((entry) => (entry.type === 'branch_opened' ? entry.branch : [])));
  const endedLater = entries
    .slice(first)
    .flatMap((entry) => (entry.type === 'branch_ended' && !opened.has(entry.branch) ? entry.branch : []));
  const open = [...state.branches].filter((branch) => !opened.has(branch));
  const cancelled = [...new Set([...endedLater, ...open])].map(
    (branch) => ({ type: 'branch_ended', branch, status: 'CANCELLED', id, at }) as const,
  );
  const paused = waitingBefore(state, entries.slice(first)).map(
    (pause) => ({ ...pause, type: 'pause_cancelled', id, at }) as const,
  );
  const message = type === 'GRAPH_MUTATED' ? mutationOverQuota(cap) : branchOverQuota(cap);
  const end: RunEnding = { type: 'FLOW_FAILED', status: 'FAILED', message, failureKind: 'QUOTA', id, at };
  state.end = end;
  return [...kept, ...paused, ...cancelled, end];
}

/** Returns the pause that was pending before the dropped entries, if any. */
function waitingBefore(
  { pause, active }: RunState,
  dropped: readonly JournalEntry[],
): (StepRef & { pauseId: string })[] {
  const waited: (StepRef & { pauseId: string })[] = [];
  const opened = new Set<string>();
  const step = pause && active.get(pause.step);
  const current = step ? [{ ...step, pauseId: pause.pauseId, type: 'current' as const }] : [];
  for (const entry of [...dropped, ...current]) {
    if (entry.type === 'HITL_PAUSED') opened.add(entry.pauseId);
    const ends =
      entry.type === 'current' ||
      entry.type === 'HITL_RESUMED' ||
      entry.type === 'HITL_TIMEOUT' ||
      entry.type === 'pause_cancelled';
    if (!ends || opened.has(entry.pauseId)) continue;
    const { step: number, node, branch, pauseId } = entry;
    waited.push({ step: number, node, branch, pauseId });
  }
  return waited;
}
