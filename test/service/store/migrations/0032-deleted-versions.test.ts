import assert from 'node:assert/strict';
import type { Database } from '../../../../service/store/database.ts';
import { type Graph, insertGraph } from '../../../../service/store/graphs.ts';
import { deletedVersions } from '../../../../service/store/migrations/0032-deleted-versions.ts';
import { eachDatabase } from '../../../support/databases.ts';
import { someTime, storedTenant } from '../../../support/sample-records.ts';

describe('graphs from before migration 0032', () => {
  eachDatabase((open) => {
    let db: Database;
    before(async () => {
      db = await open();
    });

    it('reference each package version of their nodes once', async () => {
      const { id: tenantId } = await storedTenant(db.knex);
      const graph: Graph = {
        tenantId,
        id: 'one',
        artifactId: 'one',
        name: 'One',
        description: '',
        mode: 'unary',
        inputMessage: 'acme.In',
        outputMessage: 'acme.Out',
        mockedNodes: [],
        requiredSecrets: [],
        warnings: [],
        document: {},
        compiled: { nodes: ['v1', 'v2', 'v1'].map((versionId, index) => ({ id: String(index), versionId })) },
        createdAt: someTime,
      };
      await insertGraph(db.knex, graph, []);
      await insertGraph(db.knex, { ...graph, id: 'empty', compiled: { nodes: [] } }, []);
      await db.knex.schema.dropTable('graph_versions');
      await db.knex.schema.alterTable('package_versions', (t) => {
        t.dropColumn('deleted_at');
      });
      await db.knex.schema.alterTable('client_members', (t) => {
        t.dropIndex(['node_ulid']);
      });
      await db.knex.schema.alterTable('instances', (t) => {
        t.dropIndex(['generic_version_id']);
      });
      await db.transaction(async (tx) => {
        await deletedVersions.up(tx);
      });
      const rows: unknown[] = await db.knex('graph_versions').select('*').orderBy('version_id');
      assert.deepEqual(
        rows.map((row) => ({ ...(row as object) })),
        ['v1', 'v2'].map((version_id) => ({ tenant_id: tenantId, graph_id: 'one', version_id })),
      );
    });
  });
});
