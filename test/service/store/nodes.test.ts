import assert from 'node:assert/strict';
import type { Database } from '../../../service/store/database.ts';
import { isUniqueViolation } from '../../../service/store/database-errors.ts';
import { findNodeByName, findNodeByUlid, insertNodes, listNodes } from '../../../service/store/nodes.ts';
import type { PackageVersion } from '../../../service/store/package-versions.ts';
import { eachDatabase } from '../../support/databases.ts';
import { hostileText, sampleNode, storedTenant, storedVersion } from '../../support/sample-records.ts';

describe('nodes', () => {
  eachDatabase((open) => {
    let db: Database;
    let version: PackageVersion;
    before(async () => {
      db = await open();
    });
    beforeEach(async () => {
      version = await storedVersion(db.knex, (await storedTenant(db.knex)).id);
    });

    it('are listed in the order of publication', async () => {
      const second = sampleNode(version, { name: 'A', position: 1, description: hostileText });
      const first = sampleNode(version, {
        name: 'B',
        position: 0,
        mode: 'pipeline',
        kind: 'generic',
        genericPorts: ['output'],
        outputMessage: null,
        requiredSecrets: ['TOKEN'],
      });
      await insertNodes(db.knex, [second, first]);
      assert.deepEqual(await listNodes(db.knex, version.tenantId, version.id), [first, second]);
    });

    it('are found by name within a version, and by ULID', async () => {
      const node = sampleNode(version);
      await insertNodes(db.knex, [node]);
      assert.deepEqual(await findNodeByName(db.knex, version.tenantId, version.id, 'Tokenize'), node);
      assert.equal(await findNodeByName(db.knex, version.tenantId, version.id, 'tokenize'), undefined);
      assert.equal(await findNodeByName(db.knex, 'another tenant', version.id, 'Tokenize'), undefined);
      assert.deepEqual(await findNodeByUlid(db.knex, node.id), node);
    });

    it('have unique names within the version', async () => {
      await assert.rejects(insertNodes(db.knex, [sampleNode(version), sampleNode(version)]), (error) =>
        isUniqueViolation(error, 'nodes_tenant_id_version_id_name_unique'),
      );
    });

    it('are stored in large numbers', async () => {
      const many = Array.from({ length: 1_234 }, (_, position) =>
        sampleNode(version, { position, name: `N${position}` }),
      );
      await db.transaction((tx) => insertNodes(tx, many));
      assert.deepEqual(await listNodes(db.knex, version.tenantId, version.id), many);
    });

    it('accept an empty list', async () => {
      await insertNodes(db.knex, []);
      assert.deepEqual(await listNodes(db.knex, version.tenantId, version.id), []);
    });
  });
});
