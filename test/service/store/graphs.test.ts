import assert from 'node:assert/strict';
import type { Database } from '../../../service/store/database.ts';
import { wholeList } from '../../../service/store/records.ts';
import { findGraph, type Graph, insertGraph, readGraphs } from '../../../service/store/graphs.ts';
import { eachDatabase } from '../../support/databases.ts';
import { hostileText, someTime, storedTenant } from '../../support/sample-records.ts';

describe('graphs', () => {
  eachDatabase((open) => {
    let db: Database;
    let graph: Graph;
    before(async () => {
      db = await open();
      graph = {
        tenantId: (await storedTenant(db.knex)).id,
        id: 'b-_1',
        artifactId: 'b-_1',
        name: hostileText,
        description: hostileText,
        mode: 'pipeline',
        inputMessage: 'acme.In',
        outputMessage: 'acme.Out',
        mockedNodes: ['a'],
        requiredSecrets: [hostileText],
        warnings: [{ code: 'dead_end', node: 'a', message: hostileText }],
        document: { z: [1, null], a: '\u0000' },
        compiled: { nodes: [] },
        createdAt: someTime,
      };
    });

    it('are stored once, and round-trip through the database', async () => {
      assert.equal(await insertGraph(db.knex, graph, ['v1', 'v2']), true);
      assert.equal(await insertGraph(db.knex, { ...graph, name: 'another' }, ['v1']), false);
      assert.deepEqual(await findGraph(db.knex, graph.tenantId, graph.id), graph);
      assert.equal(await findGraph(db.knex, 'another tenant', graph.id), undefined);
    });

    it('are listed newest first, without documents and compiled flows', async () => {
      await insertGraph(db.knex, { ...graph, id: 'a', createdAt: someTime + 1 }, []);
      await insertGraph(db.knex, { ...graph, id: 'c', createdAt: someTime - 1 }, []);
      const listed = await wholeList(readGraphs(db.knex, graph.tenantId));
      assert.deepEqual(
        listed.map((one) => one.id),
        ['a', 'b-_1', 'c'],
      );
      const { document, compiled, ...summary } = graph;
      assert.deepEqual(listed[1], summary, `without ${JSON.stringify([document, compiled])}`);
      assert.deepEqual(await wholeList(readGraphs(db.knex, 'another tenant')), []);
    });
  });
});
