import type SqliteConnection from 'better-sqlite3';
import { type Execution, executions } from '../executions.ts';
import { type DailyUsage, drawDaily, usageKey } from './daily-draw.ts';
import {
  type Admission,
  dayOf,
  type ExecutionEnd,
  executionsDrawn,
  type RunOperation,
  type RunOutcome,
  tenantOf,
  timeOf,
  type Transition,
} from './run-operation.ts';

type Statements = ReturnType<typeof prepare>;

const prepared = new WeakMap<SqliteConnection.Database, Statements>();

/** One immediate transaction over prepared statements: nobody else writes meanwhile, so each operation sees those before it. */
export function commitRuns(
  connection: SqliteConnection.Database,
  batch: readonly RunOperation[],
  windowMs: number,
): RunOutcome[] {
  let statements = prepared.get(connection);
  if (!statements) prepared.set(connection, (statements = prepare(connection)));
  const commit = createCommit(statements, windowMs);
  return connection.transaction(() => commit(batch)).immediate();
}

function prepare(connection: SqliteConnection.Database) {
  const columns = [...executions.fields.map(({ column }) => column), 'owner'];
  return {
    findKey: connection
      .prepare('select execution_id from idempotency where tenant_id = ? and key_hash = ?')
      .pluck(),
    takeKey: connection.prepare(
      `insert into idempotency (tenant_id, key_hash, execution_id, created_at) values (?, ?, ?, ?)
       on conflict (tenant_id, key_hash) do update
       set execution_id = excluded.execution_id, created_at = excluded.created_at where created_at <= ?`,
    ),
    dropKey: connection.prepare('delete from idempotency where tenant_id = ? and key_hash = ?'),
    usage: connection.prepare(
      'select invocations, executions from daily_usage where tenant_id = ? and day = ?',
    ),
    putUsage: connection.prepare(
      'insert or replace into daily_usage (tenant_id, day, invocations, executions) values (?, ?, ?, ?)',
    ),
    execution: connection.prepare(
      `insert into executions (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    ),
    append: connection.prepare(
      'insert into journal (tenant_id, execution_id, seq, body, at) values (?, ?, ?, ?, ?) on conflict do nothing',
    ),
    end: connection.prepare(
      `update executions set status = ?, error_message = ?, updated_at = ?, completed_at = ?, owner = null, wake_at = null
       where tenant_id = ? and id = ?`,
    ),
    open: connection
      .prepare(
        `select count(*) from (select 1 from executions indexed by executions_open_index
         where owner is not null and tenant_id = ? limit ?)`,
      )
      .pluck(),
    mutate: connection.prepare('update executions set mutation_seq = ? where tenant_id = ? and id = ?'),
    release: connection.prepare(
      "update executions set owner = '', wake_at = ?, updated_at = ? where tenant_id = ? and id = ?",
    ),
  };
}

function createCommit(
  statements: Statements,
  windowMs: number,
): (batch: readonly RunOperation[]) => RunOutcome[] {
  const usages = new Map<string, { tenantId: string; day: number; usage: DailyUsage }>();

  const usageOf = (operation: RunOperation): DailyUsage => {
    const tenantId = tenantOf(operation);
    const day = dayOf(timeOf(operation));
    const key = usageKey(tenantId, day);
    const known = usages.get(key);
    if (known) return known.usage;
    const row = statements.usage.get(tenantId, day) as DailyUsage | undefined;
    const usage = row ?? { invocations: 0, executions: 0 };
    usages.set(key, { tenantId, day, usage });
    return usage;
  };

  const insert = (execution: Execution, owner: string | null): void => {
    const values = executions.fields.map(({ field, codec }) =>
      codec.write(execution[field as keyof Execution]),
    );
    statements.execution.run(...values, owner);
  };

  const end = (tenantId: string, at: number, { executionId, status, errorMessage }: ExecutionEnd): void => {
    statements.end.run(status, errorMessage, at, at, tenantId, executionId);
  };

  const admit = (admission: Admission): RunOutcome => {
    const { execution, keyHash, owner, body, caps, inflight } = admission;
    const { tenantId, id, createdAt } = execution;
    if (statements.takeKey.run(tenantId, keyHash, id, createdAt, createdAt - windowMs).changes === 0) {
      return { kind: 'duplicate', executionId: statements.findKey.get(tenantId, keyHash) as string };
    }
    /** A rejection burns no key. One that was taken over is past its time. */
    const refused = (outcome: RunOutcome): RunOutcome => {
      statements.dropKey.run(tenantId, keyHash);
      return outcome;
    };
    if (inflight !== undefined && owner !== null) {
      const open = statements.open.get(tenantId, inflight) as number;
      if (open >= inflight) return refused({ kind: 'over_inflight', cap: inflight });
    }
    const wanted = { invocations: 1, executions: executionsDrawn(admission) };
    const quota = drawDaily(usageOf(admission), wanted, caps);
    if (quota) return refused({ kind: 'over_quota', quota, cap: caps[quota] });
    insert(execution, owner);
    statements.append.run(tenantId, id, 0, body, createdAt);
    return { kind: 'done' };
  };

  const append = (transition: Transition): RunOutcome => {
    const { tenantId, executionId, seq, body, at, branches, ends, caps, mutated, releaseUntil } = transition;
    const wanted = { invocations: 0, executions: executionsDrawn(transition) };
    const usage = wanted.executions > 0 ? usageOf(transition) : undefined;
    const quota = usage && drawDaily(usage, wanted, caps);
    if (quota) return { kind: 'over_quota', quota, cap: caps[quota] };
    if (statements.append.run(tenantId, executionId, seq, body, at).changes === 0) {
      if (usage) usage.executions -= wanted.executions;
      return { kind: 'fenced' };
    }
    for (const branch of branches) insert(branch, null);
    if (mutated) statements.mutate.run(mutated.seq, tenantId, executionId);
    for (const each of ends) end(tenantId, at, each);
    if (releaseUntil !== undefined) statements.release.run(releaseUntil, at, tenantId, executionId);
    return { kind: 'done' };
  };

  return (batch) => {
    const outcomes = batch.map((operation) =>
      operation.kind === 'admit' ? admit(operation) : append(operation),
    );
    for (const { tenantId, day, usage } of usages.values()) {
      statements.putUsage.run(tenantId, day, usage.invocations, usage.executions);
    }
    return outcomes;
  };
}
