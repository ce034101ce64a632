import type { Knex } from 'knex';
import { limits } from '../../specs/limits.ts';
import { loopTurns } from '../work/turn-budget.ts';
import { isPostgres, type Tx } from './database.ts';
import type { VersionKey } from './version-deletion.ts';

/** What refers to a package version. */
export interface VersionUses {
  kind: 'flow' | 'client_member' | 'instance' | 'unfinished_run';
  /** Number of the owner's uses. */
  own: number;
  /** Names of the first of the owner's uses: a flow as `<name> (<graph_id>)`, a member as `<client>/<alias>`. */
  names: string[];
  /** Number of other tenants' uses. */
  others: number;
}

/**
 * Counts references to a version by kind. Kinds without references are omitted. Finds no runs that have added a node of the version
 * to their graphs, which `listRunUses` does.
 */
export async function listStoredUses(tx: Tx, version: VersionKey): Promise<VersionUses[]> {
  const { tenantId } = version;
  const found: VersionUses[] = [];
  for (const { kind, rows, owner, name } of usesOf(tx, version)) {
    const { own, others } = await countUses(tx, rows.clone(), owner, tenantId);
    if (own + others === 0) continue;
    const named = (await rows
      .clone()
      .where(owner, tenantId)
      .select(name)
      .orderBy('name')
      .limit(limits.namedUsesOfVersion)) as {
      name: string;
    }[];
    found.push({ kind, own, others, names: named.map((row) => row.name) });
  }
  return found;
}

/**
 * Counts the unfinished runs that have added a node of a version to their graphs. Flows that a run was started with are references
 * of their own, but nodes that it added are only in its journal. The search may be long: call it outside transactions.
 */
export async function listRunUses(tx: Tx, { tenantId, id: versionId }: VersionKey): Promise<VersionUses[]> {
  const mutated = await tx<OpenRun>('executions')
    .select('tenant_id', 'id')
    .whereNotNull('owner')
    .where('mutation_seq', '>', 0);
  const names: string[] = [];
  let others = 0;
  for (const run of mutated) {
    if (!(await journalHas(tx, run, `"versionId":"${versionId}"`))) continue;
    if (run.tenant_id === tenantId) names.push(run.id);
    else others += 1;
  }
  const own = names.length;
  if (own + others === 0) return [];
  return [{ kind: 'unfinished_run', own, others, names: names.sort().slice(0, limits.namedUsesOfVersion) }];
}

interface OpenRun {
  tenant_id: string;
  id: string;
}

/** Rows of a journal that one statement searches. SQLite does so on the main thread, and a row may have two megabytes. */
const rowsAtOnce = 8;

async function journalHas(tx: Tx, { tenant_id, id }: OpenRun, text: string): Promise<boolean> {
  const rows = () => tx('journal').where({ tenant_id, execution_id: id });
  const has = isPostgres(tx) ? 'strpos(body, ?) > 0' : 'instr(body, ?) > 0';
  const search = (query: ReturnType<typeof rows>) =>
    query.whereRaw(has, [text]).first('seq') as Promise<unknown>;
  if (isPostgres(tx)) return (await search(rows())) !== undefined;
  const { last } = (await rows().max({ last: 'seq' }).first()) as { last: number | null };
  for (let seq = 0; seq <= (last ?? -1); seq += rowsAtOnce) {
    if ((await search(rows().whereBetween('seq', [seq, seq + rowsAtOnce - 1]))) !== undefined) return true;
    await loopTurns.yieldIfSpent();
  }
  return false;
}

interface UseQuery {
  kind: VersionUses['kind'];
  rows: Knex.QueryBuilder;
  /** The column with the tenant that uses the version. */
  owner: string;
  /** The column `name`. */
  name: string | Knex.Raw;
}

function usesOf(tx: Tx, { tenantId, id: versionId }: VersionKey): UseQuery[] {
  return [
    {
      kind: 'flow',
      rows: tx('graph_versions')
        .join('graphs', sameTenant('graphs', 'graph_versions', 'graph_id'))
        .where('version_id', versionId),
      owner: 'graph_versions.tenant_id',
      name: tx.raw("graphs.name || ' (' || graphs.id || ')' as name"),
    },
    {
      kind: 'client_member',
      rows: tx('client_members')
        .join('clients', sameTenant('clients', 'client_members', 'client_id'))
        .whereIn('node_ulid', tx('nodes').where({ tenant_id: tenantId, version_id: versionId }).select('id')),
      owner: 'client_members.tenant_id',
      name: tx.raw("clients.name || '/' || client_members.alias as name"),
    },
    {
      kind: 'instance',
      rows: tx('instances')
        .join('package_versions', sameTenant('package_versions', 'instances', 'version_id'))
        .join('packages', sameTenant('packages', 'instances', 'package_id'))
        .where('generic_version_id', versionId)
        .whereNull('package_versions.deleted_at'),
      owner: 'instances.tenant_id',
      name: tx.raw("packages.handle || '/' || packages.name || '@' || package_versions.version as name"),
    },
  ];
}

/** Joins `table` by the tenant and the id that `from` refers to it with. */
function sameTenant(table: string, from: string, key: string): Knex.JoinCallback {
  return function () {
    this.on(`${table}.tenant_id`, `${from}.tenant_id`).andOn(`${table}.id`, `${from}.${key}`);
  };
}

/** Counts the uses of a tenant, and those of others, in one pass. */
async function countUses(
  tx: Tx,
  rows: Knex.QueryBuilder,
  owner: string,
  tenantId: string,
): Promise<{ own: number; others: number }> {
  const own = tx.raw('sum(case when ?? = ? then 1 else 0 end) as own', [owner, tenantId]);
  const [row] = await rows.select(own).count<Record<string, number | string | null>[]>({ count: '*' });
  const count = Number(row?.own ?? 0);
  return { own: count, others: Number(row?.count ?? 0) - count };
}
