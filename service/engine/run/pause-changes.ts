import { columnText } from '../../store/column-text.ts';
import type { PauseChanges } from '../../store/commit/run-operation.ts';
import type { Pause, PauseChange } from '../../store/pauses.ts';
import type { JournalEntry } from '../journal/entry.ts';

/** Returns the changes that the entries of row `seq` make to the records of pauses; `undefined` for none. */
export function pauseChanges(
  { tenantId, executionId }: { tenantId: string; executionId: string },
  seq: number,
  entries: readonly JournalEntry[],
): PauseChanges | undefined {
  const opened = new Map<string, Pause>();
  const changed = new Map<string, PauseChange>();
  const change = (id: string, fields: Partial<PauseChange> & Pick<PauseChange, 'status'>): void => {
    const known = opened.get(id);
    if (known) opened.set(id, { ...known, ...fields });
    else changed.set(id, { ...(changed.get(id) ?? unchanged), id, ...fields });
  };
  for (const entry of entries) {
    switch (entry.type) {
      case 'HITL_PAUSED': {
        const { pauseId: id, node, question, resumeSchema, at: createdAt, expiresAt } = entry;
        const open = { status: 'WAITING', ...unchanged } as const;
        const place = { tenantId, id, executionId, seq, node };
        opened.set(id, {
          ...place,
          ...open,
          question: columnText(question),
          resumeSchema,
          createdAt,
          expiresAt,
        });
        break;
      }
      case 'HITL_RESUMED': {
        const { pauseId, at: resumedAt, decisionId, resumedBy, value } = entry;
        change(pauseId, {
          status: 'RESUMED',
          resumedAt,
          decisionId,
          resumedBy: columnText(resumedBy),
          resumeValue: value ?? null,
        });
        break;
      }
      case 'ESCALATION_TRIGGERED':
        change(entry.pauseId, { status: 'WAITING', escalatedAt: entry.at });
        break;
      case 'HITL_TIMEOUT':
        change(entry.pauseId, { status: 'EXPIRED' });
        break;
      case 'pause_cancelled':
        change(entry.pauseId, { status: 'CANCELLED' });
        break;
      default:
    }
  }
  if (opened.size === 0 && changed.size === 0) return undefined;
  return { opened: [...opened.values()], changed: [...changed.values()] };
}

const unchanged = {
  resumedAt: null,
  escalatedAt: null,
  decisionId: null,
  resumedBy: null,
  resumeValue: null,
};
