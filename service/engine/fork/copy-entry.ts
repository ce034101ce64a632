import type { JournalEntry } from '../journal/entry.ts';
import type { RunState } from '../journal/state.ts';

interface CopyOptions {
  /** State of the parent at the checkpoint. */
  state: Pick<RunState, 'pause'>;
  /** New ids of the branches that are open at the checkpoint, the root among them. Branches that ended before keep their ids. */
  branches: ReadonlyMap<string, string>;
  newId: () => string;
}

/**
 * Converts an entry of a parent's journal for the journal of a fork. Returns `undefined` for an entry that the fork
 * does not need. A question that is pending at the checkpoint becomes a request again, so that the fork asks it in a
 * pause of its own.
 */
export function copyEntry(
  entry: JournalEntry,
  { state, branches, newId }: CopyOptions,
): JournalEntry | undefined {
  const branchOf = (branch: string): string => branches.get(branch) ?? branch;
  const copied = { ...entry, id: newId() };
  if ('branch' in copied) copied.branch = branchOf(copied.branch);
  switch (copied.type) {
    case 'admitted': {
      // A fork does not inherit the session, span or app key of its parent's caller.
      const { type, config, input, id, at } = copied;
      return { type, config, ...(input && { input }), id, at };
    }
    case 'taken_over':
      // The fork has its own epochs.
      return undefined;
    case 'NODE_STARTED':
      return copied.late ? { ...copied, late: copied.late.map(branchOf) } : copied;
    case 'branch_opened':
      return { ...copied, parent: branchOf(copied.parent) };
    case 'HITL_PAUSED': {
      const { pauseId, expiresAt, escalateAt, ...asked } = copied;
      if (pauseId !== state.pause?.pauseId) return copied;
      return {
        ...asked,
        type: 'pause_requested',
        timeoutMs: expiresAt - copied.at,
        ...(escalateAt !== undefined && { escalateAfterMs: escalateAt - copied.at }),
      };
    }
    case 'ESCALATION_TRIGGERED':
      return copied.pauseId === state.pause?.pauseId ? undefined : copied;
    default:
      return copied;
  }
}
