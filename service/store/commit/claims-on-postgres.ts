import type { ClientBase } from 'pg';
import type { RunOperation, RunOutcome, Transition } from './run-operation.ts';

type Claiming = Transition & Required<Pick<Transition, 'claim'>>;

/** Refuses claims of runs that have ended or that another replica has claimed, and locks the other runs. */
export async function refuseClaims(
  connection: ClientBase,
  batch: readonly RunOperation[],
  outcomes: (RunOutcome | undefined)[],
): Promise<void> {
  const claiming = batch.filter(isClaiming);
  if (claiming.length === 0) return;
  const { rows } = await connection.query<{ tenant_id: string; id: string; epoch: number }>({
    name: 'svc-lock-claimed-runs',
    text: `select e.tenant_id, e.id, e.epoch from executions e
      join unnest($1::text[], $2::text[]) as k(t, e) on e.tenant_id = k.t and e.id = k.e
      where e.owner is not null order by e.tenant_id, e.id for update of e`,
    values: [claiming.map(({ tenantId }) => tenantId), claiming.map(({ executionId }) => executionId)],
  });
  const epochs = new Map(rows.map(({ tenant_id, id, epoch }) => [`${tenant_id} ${id}`, epoch]));
  // If a statement inserts one row for two transitions, its result cannot show which of them was inserted.
  const continued = new Set(
    batch.flatMap((each) => (each.kind === 'append' && !each.claim ? keyOf(each) : [])),
  );
  batch.forEach((operation, index) => {
    if (!isClaiming(operation)) return;
    const key = keyOf(operation);
    if (epochs.get(key) !== operation.claim.epoch - 1 || continued.has(key))
      outcomes[index] = { kind: 'fenced' };
    else continued.add(key);
  });
}

function keyOf({ tenantId, executionId }: Transition): string {
  return `${tenantId} ${executionId}`;
}

function isClaiming(operation: RunOperation): operation is Claiming {
  return operation.kind === 'append' && operation.claim !== undefined;
}
