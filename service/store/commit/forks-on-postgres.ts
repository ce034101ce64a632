import type { ClientBase } from 'pg';
import { appendToJournal } from './append-on-postgres.ts';
import {
  type Admission,
  type Fork,
  type ParentEnd,
  type RunOperation,
  type RunOutcome,
  type Transition,
} from './run-operation.ts';

type EndingParent = Admission & { fork: Fork & { parent: ParentEnd } };

/**
 * Ends the open parents of the forks of a batch that are not refused, and refuses the forks whose parents have gone on. The pauses of
 * the parents are left to `storePauses`.
 */
export async function endForkedParents(
  connection: ClientBase,
  batch: readonly RunOperation[],
  outcomes: (RunOutcome | undefined)[],
): Promise<void> {
  const ending = new Map<string, { index: number; end: Transition }>();
  batch.forEach((operation, index) => {
    if (!endsParent(operation) || outcomes[index]) return;
    const end = transitionOf(operation);
    // A statement that inserts one row for two forks could not tell which of them it is.
    const key = `${end.tenantId} ${end.executionId}`;
    if (ending.has(key)) outcomes[index] = { kind: 'fenced' };
    else ending.set(key, { index, end });
  });
  const ends = [...ending.values()];
  const appended = await appendToJournal(
    connection,
    ends.map(({ end }) => end),
  );
  ends.forEach(({ index }, place) => {
    if (appended[place]?.kind !== 'done') outcomes[index] = { kind: 'fenced' };
  });
}

function endsParent(operation: RunOperation): operation is EndingParent {
  return operation.kind === 'admit' && operation.fork?.parent !== undefined;
}

function transitionOf({ execution: { tenantId }, fork: { parent }, caps }: EndingParent): Transition {
  return { kind: 'append', tenantId, ...parent, branches: [], caps };
}
