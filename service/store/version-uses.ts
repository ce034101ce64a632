import type { Knex } from 'knex';
import { limits } from '../../specs/limits.ts';
import type { Tx } from './database.ts';
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

/** Counts references to a version by kind. Kinds without references are omitted. */
export async function listVersionUses(tx: Tx, version: VersionKey): Promise<VersionUses[]> {
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
    {
      // Flows that the run was started with are found above. Nodes that it added to its graph are only in its journal.
      kind: 'unfinished_run',
      rows: tx('executions')
        .whereNotNull('owner')
        .where('mutation_seq', '>', 0)
        .whereExists(
          tx('journal')
            .whereRaw('journal.tenant_id = executions.tenant_id and execution_id = executions.id')
            .where('body', 'like', `%"versionId":"${versionId}"%`)
            .select(tx.raw('1')),
        ),
      owner: 'tenant_id',
      name: 'id as name',
    },
  ];
}

/** Joins `table` by the tenant and the id that `from` refers to it with. */
function sameTenant(table: string, from: string, key: string): Knex.JoinCallback {
  return function () {
    this.on(`${table}.tenant_id`, `${from}.tenant_id`).andOn(`${table}.id`, `${from}.${key}`);
  };
}

/** Counts the uses of a tenant, and those of others, in one pass: the search of journals may be long. */
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
