import assert from 'node:assert/strict';
import type { Database } from '../../../../service/store/database.ts';
import { wholeList } from '../../../../service/store/records.ts';
import { type Graph, insertGraph, readGraphs } from '../../../../service/store/graphs.ts';
import { graphLists } from '../../../../service/store/migrations/0009-graph-lists.ts';
import { eachDatabase } from '../../../support/databases.ts';
import { hostileText, someTime, storedTenant } from '../../../support/sample-records.ts';

describe('graphs from before migration 0009', () => {
  eachDatabase((open) => {
    let db: Database;
    before(async () => {
      db = await open();
    });

    it('are listed with the fields of their compiled flow', async () => {
      const { id: tenantId } = await storedTenant(db.knex);
      const shown = {
        inputMessage: 'acme.In',
        outputMessage: 'acme.Out',
        mockedNodes: ['a', 'b'],
        requiredSecrets: ['TOKEN'],
        warnings: [{ code: 'dead_end', node: 'a', message: hostileText }],
      };
      const graphs = ['one', 'two'].map((id, index): Graph => ({
        tenantId,
        id,
        artifactId: id,
        name: id,
        description: '',
        mode: 'unary',
        ...shown,
        document: {},
        compiled: { nodes: [], ...shown },
        createdAt: someTime - index,
      }));
      for (const graph of graphs) await insertGraph(db.knex, graph, []);
      const before = await wholeList(readGraphs(db.knex, tenantId));
      await db.knex.schema.alterTable('graphs', (t) => {
        t.dropColumns('input_message', 'output_message', 'mocked_nodes', 'required_secrets', 'warnings');
      });
      await db.transaction(async (tx) => {
        await graphLists.up(tx);
      });
      assert.deepEqual(await wholeList(readGraphs(db.knex, tenantId)), before);
      assert.deepEqual(before[0]?.warnings, shown.warnings);
    });
  });
});
