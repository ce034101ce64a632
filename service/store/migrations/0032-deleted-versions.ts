import type { Knex } from 'knex';

interface GraphRow {
  tenant_id: string;
  id: string;
  compiled: string;
}

/** Package versions can be deleted, and references to a version are found by its id. */
export const deletedVersions: Knex.Migration = {
  async up(tx) {
    await tx.schema.alterTable('package_versions', (t) => {
      // The row of a deleted version stays: it reserves the number, and keeps the types of recorded data.
      t.bigInteger('deleted_at');
    });
    await tx.schema.createTable('graph_versions', (t) => {
      t.text('tenant_id').notNullable();
      t.text('graph_id').notNullable();
      t.text('version_id').notNullable();
      t.primary(['tenant_id', 'graph_id', 'version_id']);
      // The version may belong to another tenant, and flows of any tenant may refer to it.
      t.index(['version_id']);
      t.foreign(['tenant_id', 'graph_id']).references(['tenant_id', 'id']).inTable('graphs');
    });
    await tx.schema.alterTable('client_members', (t) => {
      t.index(['node_ulid']);
    });
    await tx.schema.alterTable('instances', (t) => {
      t.index(['generic_version_id']);
    });
    const graphs = await tx<GraphRow>('graphs').select('tenant_id', 'id');
    for (const { tenant_id, id } of graphs) {
      const graph = await tx<GraphRow>('graphs').where({ tenant_id, id }).first('compiled');
      const { nodes } = JSON.parse(graph?.compiled ?? '{"nodes": []}') as { nodes: { versionId: string }[] };
      const versions = [...new Set(nodes.map(({ versionId }) => versionId))];
      const rows = versions.map((version_id) => ({ tenant_id, graph_id: id, version_id }));
      await tx.batchInsert('graph_versions', rows, 200);
    }
  },
  down: () => Promise.reject(new Error('migrations cannot be reverted')),
};
