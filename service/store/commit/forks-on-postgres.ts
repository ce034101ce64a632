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
 * For the forks of a batch that are not yet refused, ends the open parents, and refuses the forks whose parents have continued.
 * `storePauses` handles the pauses of the parents.
 */
export async function endForkedParents(
  connection: ClientBase,
  batch: readonly RunOperation[],
  outcomes: (RunOutcome | undefined)[],
): Promise<void> {
  const ending = batch.flatMap((operation, index) =>
    endsParent(operation) && !outcomes[index] ? [{ index, end: transitionOf(operation) }] : [],
  );
  const appended = await appendToJournal(
    connection,
    ending.map(({ end }) => end),
  );
  ending.forEach(({ index }, place) => {
    if (appended[place]?.kind !== 'done') outcomes[index] = { kind: 'fenced' };
  });
}

function endsParent(operation: RunOperation): operation is EndingParent {
  return operation.kind === 'admit' && operation.fork?.parent !== undefined;
}

function transitionOf({ execution: { tenantId }, fork: { parent }, caps }: EndingParent): Transition {
  return { kind: 'append', tenantId, ...parent, branches: [], caps };
}
