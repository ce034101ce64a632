import type { Database } from '../database.ts';
import { createBatcher } from '../batcher.ts';
import type { Draws, InvocationDraw } from './invocation-draw.ts';
import { prepareQuery } from '../prepared/prepared-query.ts';
import { commitOnSqlite } from './sqlite-commits.ts';

/**
 * Counts invocations other than flow runs against the daily quota. The count is exact across replicas, and a drawn unit is never
 * returned. Concurrent draws share one commit.
 */
export interface InvocationDraws {
  /** Draws a unit. Resolves once the draw is committed, with false if none is left. Rejects if the database fails. */
  draw(draw: InvocationDraw): Promise<boolean>;
  /** Rejects new draws, and waits for pending ones. */
  close(): Promise<void>;
}

const batchSize = 500;

/** Creates the draws of a process, which share commits. Close them before the database. */
export function createInvocationDraws(db: Database): InvocationDraws {
  const grant = (all: readonly Draws[]): Promise<number[]> =>
    db.dialect === 'postgres' ? grantOnPostgres(db, all) : commitOnSqlite(db, 'draws', all);

  const commit = async (batch: readonly InvocationDraw[]): Promise<boolean[]> => {
    const together = new Map<string, Draws>();
    for (const each of batch) {
      const draws = together.get(keyOf(each)) ?? { ...each, wanted: 0 };
      together.set(keyOf(each), { ...draws, wanted: draws.wanted + 1 });
    }
    const left = await grant([...together.values()]);
    const byKey = new Map([...together.keys()].map((key, index) => [key, left[index] ?? 0]));
    return batch.map((each) => {
      const units = byKey.get(keyOf(each)) ?? 0;
      byKey.set(keyOf(each), units - 1);
      return units > 0;
    });
  };

  const lanes = db.dialect === 'postgres' ? 2 : 1;
  const batcher = createBatcher({ run: commit, lanes, batchSize });
  return { draw: (draw) => batcher.push(draw), close: () => batcher.close() };
}

function keyOf({ tenantId, day, cap }: InvocationDraw): string {
  return `${day} ${cap} ${tenantId}`;
}

/** Takes the given number of units, or none if fewer are left. */
const takeAll = prepareQuery(
  `insert into daily_usage (tenant_id, day, invocations, executions)
   select cast(? as text), cast(? as integer), cast(? as integer), 0 where cast(? as integer) <= cast(? as integer)
   on conflict (tenant_id, day) do update set invocations = daily_usage.invocations + excluded.invocations
   where daily_usage.invocations + excluded.invocations <= cast(? as integer)
   returning invocations`,
);

/** Grants draws. Each statement is its own transaction, and other replicas may draw in between. */
async function grantOnPostgres(db: Database, all: readonly Draws[]): Promise<number[]> {
  const take = async (draws: Draws, units: number): Promise<number> => {
    const { tenantId, day, cap } = draws;
    const rows = await takeAll(db, [tenantId, day, units, units, cap, cap]);
    if (rows.length > 0) return units;
    if (units === 1) return 0;
    // Fewer units are left. Takes them by bisection.
    const half = Math.floor(units / 2);
    const taken = await take(draws, half);
    return taken < half ? taken : taken + (await take(draws, units - half));
  };
  const granted: number[] = [];
  for (const draws of all) granted.push(await take(draws, draws.wanted));
  return granted;
}
