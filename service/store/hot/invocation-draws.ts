import type { Database } from '../database.ts';
import { createGroupCommit } from './group-commit.ts';
import type { Draws, InvocationDraw } from './invocation-draw.ts';
import { prepareQuery } from './prepared-query.ts';
import { commitOnSqlite } from './sqlite-commits.ts';

/**
 * Counts invocations that are no runs of flows, exactly: the database decides, and a unit that was drawn stays drawn. Draws
 * that come together are one commit, as on the rest of the run path.
 */
export interface InvocationDraws {
  /** Whether there was a unit left. Resolves once that is committed; rejects when the database failed. */
  draw(draw: InvocationDraw): Promise<boolean>;
  /** Waits for everything that was given, and takes no more. */
  close(): Promise<void>;
}

const batchSize = 500;

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
  const group = createGroupCommit({ commit, lanes, batchSize });
  return { draw: (draw) => group.push(draw), close: () => group.close() };
}

function keyOf({ tenantId, day, cap }: InvocationDraw): string {
  return `${day} ${cap} ${tenantId}`;
}

/** Takes so many units, or none when so many are not left. */
const takeAll = prepareQuery(
  `insert into daily_usage (tenant_id, day, invocations, executions)
   select cast(? as text), cast(? as integer), cast(? as integer), 0 where cast(? as integer) <= cast(? as integer)
   on conflict (tenant_id, day) do update set invocations = daily_usage.invocations + excluded.invocations
   where daily_usage.invocations + excluded.invocations <= cast(? as integer)
   returning invocations`,
);

/** Each statement is a transaction of its own; other replicas draw in between. */
async function grantOnPostgres(db: Database, all: readonly Draws[]): Promise<number[]> {
  const take = async (draws: Draws, units: number): Promise<number> => {
    const { tenantId, day, cap } = draws;
    const rows = await takeAll(db, [tenantId, day, units, units, cap, cap]);
    if (rows.length > 0) return units;
    if (units === 1) return 0;
    // The last units of the day, found by halves.
    const half = Math.floor(units / 2);
    const taken = await take(draws, half);
    return taken < half ? taken : taken + (await take(draws, units - half));
  };
  const granted: number[] = [];
  for (const draws of all) granted.push(await take(draws, draws.wanted));
  return granted;
}
