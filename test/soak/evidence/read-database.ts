import type { Database } from '../../../service/store/database.ts';
import type { SoakTenant } from '../deployment/soak-tenants.ts';
import type { StoredPause, StoredUsage } from './evidence.ts';

interface PauseRow {
  id: string;
  execution_id: string;
  status: string;
  expires_at: number | string;
  resumed_at: number | string | null;
  escalated_at: number | string | null;
  resume_value: string | null;
}

/** Reads all pauses. */
export async function storedPauses({ knex }: Database): Promise<StoredPause[]> {
  const rows = await knex<PauseRow>('pauses').select();
  return rows.map((row) => ({
    id: row.id,
    executionId: row.execution_id,
    status: row.status,
    expiresAt: Number(row.expires_at),
    resumedAt: row.resumed_at === null ? undefined : Number(row.resumed_at),
    escalatedAt: row.escalated_at === null ? undefined : Number(row.escalated_at),
    decision:
      row.resume_value === null
        ? undefined
        : (JSON.parse(row.resume_value) as { decision?: string }).decision,
  }));
}

/** Reads the usage of each tenant, over all days. */
export async function storedUsage(
  { knex }: Database,
  soakTenants: readonly SoakTenant[],
): Promise<StoredUsage[]> {
  const usage: StoredUsage[] = [];
  for (const { tenant } of soakTenants) {
    const mine = { tenant_id: tenant.id };
    const drawn = await knex<Record<string, number>>('daily_usage').where(mine);
    const runs = await knex<{ mutation_seq: number }>('executions')
      .whereNotNull('graph_id')
      .andWhere('tenant_id', tenant.id)
      .select('mutation_seq');
    const decided = await knex('pauses')
      .where({ ...mine, status: 'RESUMED' })
      .select('id');
    const sum = (field: string): number => drawn.reduce((all, row) => all + Number(row[field]), 0);
    usage.push({
      handle: tenant.handle,
      invocations: sum('invocations'),
      executions: sum('executions'),
      decisions: decided.length,
      runs: runs.reduce((all, row) => all + 1 + row.mutation_seq, 0),
      dailyInvocations: tenant.limits.dailyInvocations ?? Infinity,
    });
  }
  return usage;
}

/** Finds journals whose rows are not numbered from 0 without a gap. */
export async function journalGaps({ knex }: Database): Promise<string[]> {
  const rows = await knex('journal')
    .select('execution_id')
    .groupBy('tenant_id', 'execution_id')
    .havingRaw('count(*) <> max(seq) + 1 or min(seq) <> 0');
  return rows.map(({ execution_id }: { execution_id: string }) => execution_id);
}
