import type SqliteConnection from 'better-sqlite3';
import { type OwnedExecution, ownedExecutions } from '../executions.ts';
import { ownedBranch, ownedRun } from './owned-execution.ts';
import { pauses as pauseTable } from '../pauses.ts';
import { toRow } from '../table.ts';
import { type DailyUsage, drawUsage, returnUnits, usageKey } from './daily-usage.ts';
import { createIdempotencyIndex, type IdempotencyIndex } from './idempotency-index.ts';
import {
  type Admission,
  dayOf,
  type ExecutionEnd,
  isDrawing,
  type ParentEnd,
  type PauseChanges,
  type RunOperation,
  type RunOutcome,
  tenantOf,
  timeOf,
  type Transition,
  unitsDrawn,
} from './run-operation.ts';

type Statements = ReturnType<typeof prepare>;

/** Shared by all outcomes, so that a batch sends one copy to the other thread. */
const done: RunOutcome = { kind: 'done' };

const prepared = new WeakMap<SqliteConnection.Database, { statements: Statements; keys: IdempotencyIndex }>();

/**
 * Commits a batch in one immediate transaction. No other connection can write in the meantime, so each operation sees
 * the earlier ones.
 */
export function commitRunsOnSqlite(
  connection: SqliteConnection.Database,
  batch: readonly RunOperation[],
  windowMs: number,
): RunOutcome[] {
  let ready = prepared.get(connection);
  if (!ready) {
    ready = { statements: prepare(connection), keys: createIdempotencyIndex(connection, windowMs) };
    prepared.set(connection, ready);
  }
  const { statements, keys } = ready;
  const commit = createCommit(statements, keys);
  const outcomes = connection.transaction(() => commit(batch)).immediate();
  keys.committed();
  return outcomes;
}

function prepare(connection: SqliteConnection.Database) {
  const columns = ownedExecutions.fields.map(({ column }) => column);
  const pauseColumns = pauseTable.fields.map(({ column }) => column);
  return {
    usage: connection.prepare(
      'select invocations, executions from daily_usage where tenant_id = ? and day = ?',
    ),
    putUsage: connection.prepare(
      `insert into daily_usage (tenant_id, day, invocations, executions) values (?, ?, ?, ?)
       on conflict (tenant_id, day) do update set invocations = excluded.invocations, executions = excluded.executions`,
    ),
    execution: connection.prepare(
      `insert into executions (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    ),
    append: connection.prepare(
      'insert into journal (tenant_id, execution_id, seq, body, at) values (?, ?, ?, ?, ?) on conflict do nothing',
    ),
    end: connection.prepare(
      `update executions set status = ?, error_message = ?, failure_kind = ?, failed_node = ?, updated_at = ?, completed_at = ?,
         owner = null, wake_at = null
       where tenant_id = ? and id = ?`,
    ),
    open: connection
      .prepare(
        `select count(*) from (select 1 from executions indexed by executions_open_index
         where owner is not null and tenant_id = ? limit ?)`,
      )
      .pluck(),
    liveSessions: connection.prepare('select count(*) from live_sessions where tenant_id = ?').pluck(),
    mutate: connection.prepare('update executions set mutation_seq = ? where tenant_id = ? and id = ?'),
    isClaimable: connection
      .prepare('select 1 from executions where tenant_id = ? and id = ? and epoch = ? and owner is not null')
      .pluck(),
    claim: connection.prepare(
      "update executions set owner = ?, epoch = ?, wake_at = null, status = 'RUNNING' where tenant_id = ? and id = ?",
    ),
    openPause: connection.prepare(
      `insert into pauses (${pauseColumns.join(', ')}) values (${pauseColumns.map((name) => `@${name}`).join(', ')})`,
    ),
    changePause: connection.prepare(
      `update pauses set status = ?, resumed_at = coalesce(?, resumed_at), escalated_at = coalesce(?, escalated_at),
         decision_id = coalesce(?, decision_id), resumed_by = coalesce(?, resumed_by), resume_value = coalesce(?, resume_value)
       where tenant_id = ? and id = ?`,
    ),
    release: connection.prepare(
      "update executions set owner = '', wake_at = ?, updated_at = ? where tenant_id = ? and id = ?",
    ),
  };
}

function createCommit(
  statements: Statements,
  keys: IdempotencyIndex,
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

  const insert = (owned: OwnedExecution): void => {
    const values = ownedExecutions.fields.map(({ field, codec }) =>
      codec.write(owned[field as keyof OwnedExecution]),
    );
    statements.execution.run(...values);
  };

  const end = (tenantId: string, at: number, ended: ExecutionEnd): void => {
    const { executionId, status, errorMessage, failureKind, failedNode } = ended;
    statements.end.run(status, errorMessage, failureKind, failedNode, at, at, tenantId, executionId);
  };

  /** Applies changes first, because a run has at most one pending pause. */
  const storePauses = (tenantId: string, { opened, changed }: PauseChanges): void => {
    for (const { id, status, resumedAt, escalatedAt, decisionId, resumedBy, resumeValue } of changed) {
      statements.changePause.run(
        status,
        resumedAt,
        escalatedAt,
        decisionId,
        resumedBy,
        resumeValue,
        tenantId,
        id,
      );
    }
    for (const pause of opened) statements.openPause.run(toRow(pauseTable, pause));
  };

  /**
   * Ends the parent of a fork.
   *
   * @returns false if the parent's journal has grown
   */
  const endParent = (tenantId: string, { executionId, seq, body, at, ends, pauses }: ParentEnd): boolean => {
    if (statements.append.run(tenantId, executionId, seq, body, at).changes === 0) return false;
    if (pauses) storePauses(tenantId, pauses);
    for (const each of ends) end(tenantId, at, each);
    return true;
  };

  const admit = (admission: Admission): RunOutcome => {
    const { execution, keyHash, owner, body, caps, inflight, fork } = admission;
    const { tenantId, id, createdAt } = execution;
    const { parent } = fork ?? {};
    const holder = keys.holderOf(tenantId, keyHash, createdAt);
    if (holder !== undefined) return { kind: 'duplicate', executionId: holder };
    if (inflight !== undefined && owner !== null) {
      const allowed = inflight + (parent ? 1 : 0);
      const runs = statements.open.get(tenantId, allowed) as number;
      const open = runs + (statements.liveSessions.get(tenantId) as number);
      if (open >= allowed) return { kind: 'over_inflight', cap: inflight };
    }
    const wanted = unitsDrawn(admission);
    const usage = usageOf(admission);
    const quota = drawUsage(usage, wanted, caps);
    if (quota) return { kind: 'over_quota', quota, cap: caps[quota] };
    if (parent && !endParent(tenantId, parent)) {
      returnUnits(usage, wanted);
      return { kind: 'fenced' };
    }
    keys.take(tenantId, keyHash, id, createdAt);
    insert(ownedRun(admission));
    statements.append.run(tenantId, id, fork?.seq ?? 0, body, createdAt);
    for (const branch of fork?.branches ?? []) insert(ownedBranch(branch));
    if (fork?.pauses) storePauses(tenantId, fork.pauses);
    return done;
  };

  const append = (transition: Transition): RunOutcome => {
    const { tenantId, executionId, seq, body, at, branches, ends, caps, mutated, releaseUntil } = transition;
    const { pauses, claim } = transition;
    if (claim && !statements.isClaimable.get(tenantId, executionId, claim.epoch - 1))
      return { kind: 'fenced' };
    const wanted = unitsDrawn(transition);
    const usage = isDrawing(transition) ? usageOf(transition) : undefined;
    const quota = usage && drawUsage(usage, wanted, caps);
    if (quota) return { kind: 'over_quota', quota, cap: caps[quota] };
    if (statements.append.run(tenantId, executionId, seq, body, at).changes === 0) {
      if (usage) returnUnits(usage, wanted);
      return { kind: 'fenced' };
    }
    for (const branch of branches) insert(ownedBranch(branch));
    if (claim) statements.claim.run(claim.replica, claim.epoch, tenantId, executionId);
    if (pauses) storePauses(tenantId, pauses);
    if (mutated) statements.mutate.run(mutated.seq, tenantId, executionId);
    for (const each of ends) end(tenantId, at, each);
    if (releaseUntil !== undefined) statements.release.run(releaseUntil, at, tenantId, executionId);
    return done;
  };

  return (batch) => {
    keys.catchUp();
    const outcomes = batch.map((operation) =>
      operation.kind === 'admit' ? admit(operation) : append(operation),
    );
    for (const { tenantId, day, usage } of usages.values()) {
      statements.putUsage.run(tenantId, day, usage.invocations, usage.executions);
    }
    return outcomes;
  };
}
