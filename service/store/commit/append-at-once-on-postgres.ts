import type { ClientBase } from 'pg';
import { appending, appendParameters, journalValues } from './append-on-postgres.ts';
import { changeParameters, changingPauses, openingPauses, pauseValues } from './pauses-on-postgres.ts';
import {
  type DailyCaps,
  dayOf,
  isDrawing,
  type RunOperation,
  tenantOf,
  timeOf,
  unitsDrawn,
} from './run-operation.ts';

const firstDraw = appendParameters + 2;

/** True if a journal row exists. */
const isFenced = `(select count(*) from appended) < $${appendParameters + 1}::int4`;

/** Returns a statement that divides by zero if it is refused, which rolls it back. */
const allOrNothing = (expressions: string, refused: string): string =>
  `with ${expressions} select 1 / (case when ${refused} then 0 else 1 end)`;

const appendingText = allOrNothing(appending, isFenced);

/**
 * Like `appending`, but also takes idempotency keys and draws from quotas. A taken key or an exceeded cap rejects the
 * whole statement.
 */
const drawing = `
  ${appending}, keys as (
    insert into idempotency (tenant_id, key_hash, execution_id, created_at)
    select * from unnest($${firstDraw}::text[], $${firstDraw + 1}::text[], $${firstDraw + 2}::text[],
      $${firstDraw + 3}::int8[]) as k(t, h, e, c) order by t, h
    on conflict (tenant_id, key_hash) do update
      set execution_id = excluded.execution_id, created_at = excluded.created_at
      where idempotency.created_at <= excluded.created_at - $${firstDraw + 4}::int8
    returning 1
  ), wanted as (
    select * from unnest($${firstDraw + 5}::text[], $${firstDraw + 6}::int4[], $${firstDraw + 7}::int4[],
      $${firstDraw + 8}::int4[], $${firstDraw + 9}::int4[], $${firstDraw + 10}::int4[]) as w(t, d, i, e, ci, ce)
  ), used as (
    insert into daily_usage (tenant_id, day, invocations, executions) select t, d, i, e from wanted order by d, t
    on conflict (tenant_id, day) do update set invocations = daily_usage.invocations + excluded.invocations,
      executions = daily_usage.executions + excluded.executions
    returning tenant_id, day, invocations, executions
  )`;

const isOver = `(select count(*) from keys) < $${firstDraw + 11}::int4
    or exists (select 1 from used u join wanted w on u.tenant_id = w.t and u.day = w.d
      where u.invocations > w.ci or u.executions > w.ce)`;

const drawingText = allOrNothing(drawing, `${isFenced} or ${isOver}`);

const firstClaim = firstDraw + 12;
const firstPause = firstClaim + 4;

/**
 * Like `drawing`, but also claims runs and stores their pauses. A run that has ended or was claimed by another
 * replica rejects the whole statement.
 */
const pausingText = allOrNothing(
  `claimed as (
    select 1 from executions e
    join unnest($${firstClaim}::text[], $${firstClaim + 1}::text[], $${firstClaim + 2}::int4[]) as k(t, e, epoch)
      on e.tenant_id = k.t and e.id = k.e
    where e.owner is not null and e.epoch = k.epoch - 1 order by e.tenant_id, e.id for update of e
  ), ${drawing}, changed as (
    ${changingPauses(firstPause)} returning 1
  ), opened as (
    ${openingPauses(firstPause + changeParameters)} returning 1
  )`,
  `(select count(*) from claimed) < $${firstClaim + 3}::int4 or ${isFenced} or ${isOver}`,
);

/**
 * Appends operations in one statement, with their draws, claims and pauses.
 *
 * @returns false if any of them is refused, or needs several statements. Then nothing is written.
 */
export async function appendAtOnce(
  connection: ClientBase,
  operations: readonly RunOperation[],
  windowMs: number,
): Promise<boolean> {
  const pausing = operations.some((each) => each.kind === 'append' && (each.pauses ?? each.claim));
  if (pausing && needsOrder(operations)) return false;
  const values = [...journalValues(operations), operations.length];
  let statement = { name: 'svc-append', text: appendingText };
  if (pausing) {
    statement = { name: 'svc-append-pauses', text: pausingText };
    values.push(...drawValues(operations, windowMs), ...claimValues(operations), ...pauseValues(operations));
  } else if (operations.some(isDrawing)) {
    statement = { name: 'svc-append-and-draw', text: drawingText };
    values.push(...drawValues(operations, windowMs));
  }
  try {
    await connection.query({ ...statement, values });
    return true;
  } catch (error) {
    // division_by_zero, or cardinality_violation: two admissions with the same key.
    const { code } = error as { code?: unknown };
    if (code === '22012' || code === '21000') return false;
    throw error;
  }
}

/**
 * Reports whether the operations depend on their order, which one statement does not have: it could not end one pause
 * of a run and open the next, nor distinguish two transitions of a run.
 */
function needsOrder(operations: readonly RunOperation[]): boolean {
  const runs = new Set<string>();
  return operations.some((operation) => {
    if (operation.kind === 'admit') return false;
    const { tenantId, executionId, pauses } = operation;
    const key = `${tenantId} ${executionId}`;
    if (runs.has(key) || (pauses && pauses.opened.length > 0 && pauses.changed.length > 0)) return true;
    runs.add(key);
    return false;
  });
}

function drawValues(operations: readonly RunOperation[], windowMs: number): unknown[] {
  const admissions = operations.filter((operation) => operation.kind === 'admit');
  const draws = drawsOf(operations);
  return [
    admissions.map(({ execution }) => execution.tenantId),
    admissions.map(({ keyHash }) => keyHash),
    admissions.map(({ execution }) => execution.id),
    admissions.map(({ execution }) => execution.createdAt),
    windowMs,
    draws.map(({ tenantId }) => tenantId),
    draws.map(({ day }) => day),
    draws.map(({ invocations }) => invocations),
    draws.map(({ executions }) => executions),
    draws.map(({ caps }) => caps.invocations),
    draws.map(({ caps }) => caps.executions),
    admissions.length,
  ];
}

function claimValues(operations: readonly RunOperation[]): unknown[] {
  const claims = operations.flatMap((each) =>
    each.kind === 'append' && each.claim ? [{ ...each, epoch: each.claim.epoch }] : [],
  );
  return [
    claims.map(({ tenantId }) => tenantId),
    claims.map(({ executionId }) => executionId),
    claims.map(({ epoch }) => epoch),
    claims.length,
  ];
}

interface Draw {
  tenantId: string;
  day: number;
  invocations: number;
  executions: number;
  caps: DailyCaps;
}

/** PostgreSQL's largest int4, for a quota that is not drawn from and may already be exceeded. */
const unlimited = 2_147_483_647;

/** Sums the draws by tenant and day. */
function drawsOf(operations: readonly RunOperation[]): Draw[] {
  const draws = new Map<string, Draw>();
  for (const operation of operations) {
    if (!isDrawing(operation)) continue;
    const drawn = unitsDrawn(operation);
    const tenantId = tenantOf(operation);
    const day = dayOf(timeOf(operation));
    const key = `${day} ${tenantId}`;
    let draw = draws.get(key);
    if (!draw) {
      const caps = { invocations: unlimited, executions: unlimited };
      draws.set(key, (draw = { tenantId, day, invocations: 0, executions: 0, caps }));
    }
    for (const quota of ['invocations', 'executions'] as const) {
      if (drawn[quota] === 0) continue;
      draw[quota] += drawn[quota];
      draw.caps[quota] = Math.min(draw.caps[quota], operation.caps[quota]);
    }
  }
  return [...draws.values()];
}
