import assert from 'node:assert/strict';
import { limits } from '../../../specs/limits.ts';
import { insertGraph } from '../../../service/store/graphs.ts';
import { listVersionUses } from '../../../service/store/version-uses.ts';
import { eachDatabase } from '../../support/databases.ts';
import { someTime, storedTenant, storedVersion } from '../../support/sample-records.ts';

describe('what uses a package version', () => {
  eachDatabase((open) => {
    it('has up to 100 names of a kind, and the total number', async () => {
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
      assert.deepEqual(await listVersionUses(knex, version), []);
      const ids = Array.from({ length: limits.namedUsesOfVersion + 1 }, (_, index) => `g${1000 + index}`);
      const names = ids.map((id) => `Flow (${id})`);
      for (const id of ids.slice(0, -1)) await insert(tenantId, id);
      const most = names.slice(0, -1);
      assert.deepEqual(await listVersionUses(knex, version), [
        { kind: 'flow', own: 100, names: most, others: 0 },
      ]);
      await insert(tenantId, ids.at(-1) ?? '');
      await insert(otherId, 'theirs');
      assert.deepEqual(await listVersionUses(knex, version), [
        { kind: 'flow', own: 101, names: most, others: 1 },
      ]);
    });

    it('is searched for once in the journals of unfinished runs', async () => {
      const { knex } = await open();
      const { id: tenantId } = await storedTenant(knex);
      const version = await storedVersion(knex, tenantId);
      const searches: string[] = [];
      knex.on('query', ({ sql }: { sql: string }) => searches.push(...(sql.match(/journal.*like/g) ?? [])));
      assert.deepEqual(await listVersionUses(knex, version), []);
      assert.equal(searches.length, 1, searches.join('\n'));
    });
  });
});
