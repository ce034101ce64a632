import assert from 'node:assert/strict';
import { limits } from '../../../specs/limits.ts';
import { executions } from '../../../service/store/executions.ts';
import { insertGraph } from '../../../service/store/graphs.ts';
import { insertRecords } from '../../../service/store/records.ts';
import { listRunUses, listStoredUses } from '../../../service/store/version-uses.ts';
import { eachDatabase } from '../../support/databases.ts';
import { sampleExecution, someTime, storedTenant, storedVersion } from '../../support/sample-records.ts';
import { assertTurn, watchTurns } from '../../support/turn-watch.ts';

describe('uses of a package version', () => {
  eachDatabase((open) => {
    it('are listed with up to 100 names per kind and the total number', async () => {
      const { knex } = await open();
      const { id: tenantId } = await storedTenant(knex);
      const { id: otherId } = await storedTenant(knex, { handle: 'rival' });
      const version = await storedVersion(knex, tenantId);
      const insert = async (tenant: string, id: string): Promise<void> => {
        const texts = { name: 'Flow', description: '', inputMessage: 'acme.In', outputMessage: 'acme.Out' };
        const lists = { mockedNodes: [], requiredSecrets: [], warnings: [] };
        const graph = { tenantId: tenant, id, artifactId: id, mode: 'unary' as const, ...texts, ...lists };
        await insertGraph(knex, { ...graph, document: {}, compiled: {}, createdAt: someTime }, [version.id]);
      };
      assert.deepEqual(await listStoredUses(knex, version), []);
      const ids = Array.from({ length: limits.namedUsesOfVersion + 1 }, (_, index) => `g${1000 + index}`);
      const names = ids.map((id) => `Flow (${id})`);
      for (const id of ids.slice(0, -1)) await insert(tenantId, id);
      const most = names.slice(0, -1);
      assert.deepEqual(await listStoredUses(knex, version), [
        { kind: 'flow', own: 100, names: most, others: 0 },
      ]);
      await insert(tenantId, ids.at(-1) ?? '');
      await insert(otherId, 'theirs');
      assert.deepEqual(await listStoredUses(knex, version), [
        { kind: 'flow', own: 101, names: most, others: 1 },
      ]);
    });

    it('are found in the journals of unfinished runs with mutations without blocking the event loop', async function () {
      this.timeout(30_000);
      const { knex } = await open();
      const { id: tenantId } = await storedTenant(knex);
      const { id: otherId } = await storedTenant(knex, { handle: 'rival' });
      const version = await storedVersion(knex, tenantId);
      const addRun = async (tenant: string, id: string, changes: object, bodies: readonly string[]) => {
        await insertRecords(knex, executions, [sampleExecution(tenant, { id })]);
        await knex('executions').where({ tenant_id: tenant, id }).update(changes);
        const rows = bodies.map((body, seq) => ({ tenant_id: tenant, execution_id: id, seq, body, at: 0 }));
        for (const row of rows) await knex('journal').insert(row);
      };
      const use = `["versionId":"${version.id}"]`;
      // What a search for the beginning of a use finds everywhere.
      const long = '"versionId":"0'.repeat(75_000);
      const unfinished = { owner: 'replica', mutation_seq: 1 };
      await addRun(tenantId, 'r2', unfinished, ['[]', use]);
      await addRun(tenantId, 'r1', unfinished, [...Array.from({ length: 80 }, () => long), use]);
      await addRun(tenantId, 'r3', { owner: null, mutation_seq: 1 }, [use]);
      await addRun(tenantId, 'r4', { owner: 'replica', mutation_seq: 0 }, [use]);
      await addRun(tenantId, 'r5', unfinished, ['[]', long]);
      await addRun(otherId, 'r6', unfinished, [use]);
      const watch = watchTurns();
      const found = await listRunUses(knex, version);
      // The search of 84 MB took 210 in one statement.
      assertTurn(watch.stop(), 50);
      assert.deepEqual(found, [{ kind: 'unfinished_run', own: 2, names: ['r1', 'r2'], others: 1 }]);
    });
  });
});
