import type { Knex } from 'knex';
import { limits } from '../../specs/limits.ts';
import { loopTurns } from '../work/turn-budget.ts';
import { isPostgres, type Tx } from './database.ts';
import type { VersionKey } from './version-deletion.ts';

/** The references to a package version, of one kind. */
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
 * Counts references to a version by kind. Kinds without references are omitted. Does not find runs that have added a
 * node of the version to their graphs; `listRunUses` does.
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
 * Counts the unfinished runs that have added a node of a version to their graphs. The flow of a run is a reference of
 * its own, but nodes that the run added are only in its journal. The search may take long, so call it outside
 * transactions.
 */
export async function listRunUses(tx: Tx, { tenantId, id: versionId }: VersionKey): Promise<VersionUses[]> {
  const mutated: Runs = tx<OpenRun>('executions')
    .whereNotNull('owner')
    .where('mutation_seq', '>', 0)
    .select({ tenantId: 'tenant_id', id: 'id' });
  const text = `"versionId":"${versionId}"`;
  const using = isPostgres(tx)
    ? await searchAtOnce(tx, mutated, text)
    : await searchInTurns(tx, mutated, text);
  if (using.length === 0) return [];
  const names = using.filter((run) => run.tenantId === tenantId).map(({ id }) => id);
  const [own, others] = [names.length, using.length - names.length];
  return [{ kind: 'unfinished_run', own, others, names: names.sort().slice(0, limits.namedUsesOfVersion) }];
}

interface OpenRun {
  tenantId: string;
  id: string;
}

type Runs = Knex.QueryBuilder<OpenRun, OpenRun[]>;

/** Returns those of the runs whose journals contain the text. */
async function searchAtOnce(tx: Tx, runs: Runs, text: string): Promise<OpenRun[]> {
  const rows = tx('journal')
    .whereRaw('journal.tenant_id = executions.tenant_id and execution_id = executions.id')
    .whereRaw('strpos(body, ?) > 0', [text]);
  return runs.whereExists(rows.select(tx.raw('1')));
}

/** Rows of a journal that one statement searches. SQLite does so on the main thread, and a row may have two megabytes. */
const rowsAtOnce = 8;

/** Like `searchAtOnce`, but yields to other requests between statements. */
async function searchInTurns(tx: Tx, runs: Runs, text: string): Promise<OpenRun[]> {
  const found: OpenRun[] = [];
  for (const run of await runs) {
    const rows = (): Knex.QueryBuilder =>
      tx('journal').where({ tenant_id: run.tenantId, execution_id: run.id });
    const { last } = (await rows().max({ last: 'seq' }).first()) as { last: number | null };
    for (let seq = 0; seq <= (last ?? -1); seq += rowsAtOnce) {
      const part = rows().whereBetween('seq', [seq, seq + rowsAtOnce - 1]);
      const hit: unknown = await part.whereRaw('instr(body, ?) > 0', [text]).first('seq');
      await loopTurns.yieldIfSpent();
      if (hit === undefined) continue;
      found.push(run);
      break;
    }
  }
  return found;
}

interface UseQuery {
  kind: VersionUses['kind'];
  rows: Knex.QueryBuilder;
  /** Name of the column with the tenant that uses the version. */
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

/** Joins `table` on the tenant and on the column `key` of `from` that refers to its id. */
function sameTenant(table: string, from: string, key: string): Knex.JoinCallback {
  return function () {
    this.on(`${table}.tenant_id`, `${from}.tenant_id`).andOn(`${table}.id`, `${from}.${key}`);
  };
}

/** Counts the uses of the tenant and of other tenants in one pass. */
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
