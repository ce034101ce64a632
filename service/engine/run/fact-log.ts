import type { EndStatus } from '../../../specs/execution-status.ts';
import type { FailureKind } from '../../../specs/failure-kind.ts';
import type { Ids } from '../../ids.ts';
import { applyEntry } from '../journal/fold.ts';
import type { GraphShape } from '../journal/graph-shape.ts';
import type { Fact, FlowFailed, JournalEntry, Payload, Stamp } from '../journal/entry.ts';
import { nextRunId } from '../journal/next-run-id.ts';
import type { RunState } from '../journal/state.ts';

/** Why a branch failed. */
interface BranchFailure {
  message: string;
  node: string;
  failureKind?: FailureKind;
}

/** Collects facts for the journal, and applies each to the state at once. */
export interface FactLog {
  add: (fact: Fact) => Stamp;
  /** Ends a branch. Does nothing for the root branch, which ends with the run. */
  endBranch: (branch: string, status: EndStatus, failure?: BranchFailure) => void;
  /** Completes the run, and cancels its open branches and its waiting pause. */
  finish: (output: Payload) => void;
  /** Fails or cancels the run, unless it has ended. */
  end: (failed: Omit<FlowFailed, 'type'>) => void;
  /** Returns the entries added since the last call. */
  take: () => JournalEntry[];
}

interface FactLogOptions {
  state: RunState;
  /** Returns the shape of the current graph, which mutations replace. */
  shape: () => GraphShape;
  ids: Pick<Ids, 'ulid'>;
  /** Epoch milliseconds. */
  now: () => number;
  /** Called with each entry. */
  onAdded?: (entry: JournalEntry) => void;
}

/** Creates an empty log. The log stores nothing: the caller commits what `take` returns, in that order. */
export function createFactLog({ state, shape, ids, now, onAdded }: FactLogOptions): FactLog {
  let entries: JournalEntry[] = [];

  const add = (fact: Fact): Stamp => {
    const entry: JournalEntry = { ...fact, id: nextRunId(state, ids), at: now() };
    applyEntry(shape(), state, entry);
    entries.push(entry);
    onAdded?.(entry);
    return entry;
  };

  const endBranch: FactLog['endBranch'] = (branch, status, failure) => {
    if (branch === state.executionId) return;
    add({ type: 'branch_ended', branch, status, ...failure });
  };

  const cancelBranches = (): void => {
    for (const branch of [...state.branches]) endBranch(branch, 'CANCELLED');
  };

  const cancelPause = (): void => {
    const { pause } = state;
    const active = pause && state.active.get(pause.step);
    if (!active) return;
    const { step, node, branch } = active;
    add({ type: 'pause_cancelled', step, node, branch, pauseId: pause.pauseId });
  };

  return {
    add,
    endBranch,
    finish: (output) => {
      cancelPause();
      cancelBranches();
      add({ type: 'FLOW_COMPLETED', output });
    },
    end: (failed) => {
      if (state.end) return;
      cancelPause();
      cancelBranches();
      add({ type: 'FLOW_FAILED', ...failed });
    },
    take: () => {
      const taken = entries;
      entries = [];
      return taken;
    },
  };
}
