import assert from 'node:assert/strict';
import { PublishedNodes } from '../../../service/nodes/published-nodes.ts';
import { createTypeRegistries, messageNamesOf } from '../../../service/nodes/type-registries.ts';
import type { Database } from '../../../service/store/database.ts';
import { listNodes } from '../../../service/store/nodes.ts';
import { publishStepsOf } from '../../support/compiled-flow.ts';
import { compiledOnce } from '../../support/compiled-protos.ts';
import { eachDatabase } from '../../support/databases.ts';
import { storedTenant } from '../../support/sample-records.ts';

describe('the types of package versions', () => {
  eachDatabase((open) => {
    let db: Database;
    let tenantId: string;
    let versionId: string;
    before(async () => {
      db = await open();
      const tenant = await storedTenant(db.knex);
      tenantId = tenant.id;
      await publishStepsOf(db, tenant);
      [versionId = ''] = (await db
        .knex('package_versions')
        .where({ tenant_id: tenantId })
        .pluck('id')) as string[];
    });

    it('are linked once for concurrent calls and flows', async () => {
      const types = createTypeRegistries();
      const published = new PublishedNodes(db, types);
      const nodes = await listNodes(db.knex, tenantId, versionId);
      assert.ok(nodes.length > 1);
      const found = await Promise.all([
        ...nodes.map(async ({ id }) => (await published.find(tenantId, { ulid: id })).registry),
        ...nodes.map((node) => types.registry(db.knex, tenantId, versionId, messageNamesOf([node]))),
      ]);
      assert.equal(new Set(found).size, 1);
    });

    it('are linked again when the version has grown, but not for an unknown message', async () => {
      const types = createTypeRegistries();
      const first = await types.registry(db.knex, tenantId, versionId);
      assert.equal(await types.registry(db.knex, tenantId, versionId, ['No.Such']), first);
      const protos = { 'later.proto': 'syntax = "proto3"; package later; message Message {}' };
      const grown = { id: versionId, descriptorSet: await compiledOnce(protos) };
      assert.equal(types.registryOf(grown, []), first);
      const added = types.registryOf(grown, ['later.Message']);
      assert.ok(added.getMessage('later.Message'));
      assert.equal(await types.registry(db.knex, tenantId, versionId, ['later.Message']), added);
    });

    it('are rejected for an unknown version', async () => {
      await assert.rejects(createTypeRegistries().registry(db.knex, tenantId, 'none'), /none does not exist/);
    });
  });
});
