import type { Ids } from '../../ids.ts';
import { applyEntry } from './fold.ts';
import type { GraphShape } from './graph-shape.ts';
import type { Fact, FlowFailed, JournalEntry, Payload } from './journal-entry.ts';
import type { RunState } from './run-state.ts';

/** Facts of a run on their way to its journal. Each brings the state forward at once. */
export interface FactLog {
  add: (fact: Fact) => void;
  /** A branch is over; the run itself is no branch. */
  endBranch: (branch: string, status: 'COMPLETED' | 'FAILED' | 'CANCELLED', message?: string) => void;
  /** The run has its result: whatever is still under way comes too late for it. */
  finish: (output: Payload) => void;
  /** Ends the run without one, if it has not ended. */
  end: (failed: Omit<FlowFailed, 'type'>) => void;
  /** Hands over what was added since the last time. */
  take: () => JournalEntry[];
}

export interface FactLogOptions {
  state: RunState;
  /** Of the graph as it is now. */
  shape: () => GraphShape;
  ids: Pick<Ids, 'ulid'>;
  /** Epoch milliseconds. */
  now: () => number;
}

export function createFactLog({ state, shape, ids, now }: FactLogOptions): FactLog {
  let entries: JournalEntry[] = [];

  const add = (fact: Fact): void => {
    const entry: JournalEntry = { ...fact, id: ids.ulid(), at: now() };
    applyEntry(shape(), state, entry);
    entries.push(entry);
  };

  const endBranch: FactLog['endBranch'] = (branch, status, message) => {
    if (branch === state.executionId) return;
    add({ type: 'branch_ended', branch, status, ...(message === undefined ? {} : { message }) });
  };

  const cancelBranches = (): void => {
    for (const branch of [...state.branches]) endBranch(branch, 'CANCELLED');
  };

  return {
    add,
    endBranch,
    finish: (output) => {
      cancelBranches();
      add({ type: 'FLOW_COMPLETED', output });
    },
    end: (failed) => {
      if (state.end) return;
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
