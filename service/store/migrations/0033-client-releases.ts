import type { Knex } from 'knex';

interface VersionRow {
  tenant_id: string;
  client_id: string;
  version: number;
  snapshot: string;
}

/** A build needs the releases of all versions, without the rest of their snapshots. */
export const clientReleases: Knex.Migration = {
  async up(tx) {
    await tx.schema.alterTable('client_versions', (t) => {
      t.text('release').notNullable().defaultTo('null');
    });
    const keys = await tx<VersionRow>('client_versions').select('tenant_id', 'client_id', 'version');
    for (const key of keys) {
      const { tenant_id, client_id, version } = key;
      const row = await tx<VersionRow>('client_versions')
        .where({ tenant_id, client_id, version })
        .first('snapshot');
      const { release = null } = JSON.parse(row?.snapshot ?? '{}') as { release?: unknown };
      await tx('client_versions')
        .where({ tenant_id, client_id, version })
        .update({ release: JSON.stringify(release) });
    }
  },
  down: () => Promise.reject(new Error('migrations cannot be reverted')),
};
