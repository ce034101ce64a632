import assert from 'node:assert/strict';
import {
  aliasTaken,
  deleteMember,
  deleteMembers,
  insertMembers,
  listMembers,
} from '../../../service/store/client-members.ts';
import type { Client } from '../../../service/store/clients.ts';
import type { Database } from '../../../service/store/database.ts';
import { isUniqueViolation } from '../../../service/store/database-errors.ts';
import { eachDatabase } from '../../support/databases.ts';
import { hostileText, sampleMember, storedClient, storedTenant } from '../../support/sample-records.ts';

describe('client members', () => {
  eachDatabase((open) => {
    let db: Database;
    let client: Client;
    before(async () => {
      db = await open();
    });
    beforeEach(async () => {
      client = await storedClient(db.knex, (await storedTenant(db.knex)).id);
    });

    it('are listed in the order in which they were added', async () => {
      const node = sampleMember(client, { alias: hostileText });
      const nothing = { packageName: null, packageVersion: null, nodeUlid: null };
      const flow = sampleMember(client, { ...nothing, memberType: 'flow', alias: 'a', artifactId: 'g1' });
      await insertMembers(db.knex, [node]);
      await insertMembers(db.knex, [flow]);
      assert.deepEqual(await listMembers(db.knex, client.tenantId, client.id), [node, flow]);
    });

    it('have unique aliases within the client', async () => {
      await insertMembers(db.knex, [sampleMember(client)]);
      await assert.rejects(insertMembers(db.knex, [sampleMember(client)]), (error) =>
        isUniqueViolation(error, aliasTaken),
      );
      const other = await storedClient(db.knex, client.tenantId);
      await insertMembers(db.knex, [sampleMember(other)]);
    });

    it('are removed one by one or together', async () => {
      const members = ['a', 'b', 'c'].map((alias) => sampleMember(client, { alias }));
      await insertMembers(db.knex, members);
      const { tenantId, id } = client;
      assert.equal(await deleteMember(db.knex, 'another tenant', id, members[0]!.id), false);
      assert.equal(await deleteMember(db.knex, tenantId, id, members[0]!.id), true);
      assert.equal(await deleteMember(db.knex, tenantId, id, members[0]!.id), false);
      assert.deepEqual(await listMembers(db.knex, tenantId, id), members.slice(1));
      await deleteMembers(db.knex, tenantId, id);
      assert.deepEqual(await listMembers(db.knex, tenantId, id), []);
    });
  });
});
