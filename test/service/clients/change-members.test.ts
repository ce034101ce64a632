import assert from 'node:assert/strict';
import { ApiError } from '../../../service/errors/api-error.ts';
import { addMember, removeMember, replaceMembers } from '../../../service/clients/change-members.ts';
import { systemClock } from '../../../service/clock.ts';
import { createIds } from '../../../service/ids.ts';
import { insertMembers, listMembers } from '../../../service/store/client-members.ts';
import type { Client } from '../../../service/store/clients.ts';
import type { Database } from '../../../service/store/database.ts';
import { updatePackage } from '../../../service/store/packages.ts';
import type { Tenant } from '../../../service/store/tenants.ts';
import { eachDatabase } from '../../support/databases.ts';
import { publishText } from '../../support/published-text.ts';
import { storedClient, storedTenant } from '../../support/sample-records.ts';

describe('members of a client', () => {
  eachDatabase((open) => {
    let db: Database;
    let tenant: Tenant;
    let other: Tenant;
    let client: Client;
    let key: { tenantId: string; clientId: string };
    const options = () => ({ db, clock: systemClock, ids: createIds(systemClock) });
    const node = (fields: object) => ({ type: 'node' as const, package: `${tenant.handle}/text`, ...fields });

    before(async () => {
      db = await open();
      tenant = await storedTenant(db.knex, { handle: 'acme' });
      other = await storedTenant(db.knex, { handle: 'rival' });
      await publishText(db, tenant);
      await publishText(db, tenant, { version: '1.1.0' });
      await publishText(db, tenant, { version: '2.0.0-rc.1' });
      await publishText(db, other, { visibility: 'private' });
    });
    beforeEach(async () => {
      client = await storedClient(db.knex, tenant.id);
      key = { tenantId: tenant.id, clientId: client.id };
    });

    it('default to the latest version and to the name of the node as the alias', async () => {
      for (const version of [undefined, '', 'latest']) {
        await replaceMembers(options(), key, []);
        const member = await addMember(options(), key, node({ node_name: 'Tokenize', version }));
        assert.equal(member.packageVersion, '1.1.0');
        assert.equal(member.alias, 'Tokenize');
        assert.deepEqual(await listMembers(db.knex, tenant.id, client.id), [member]);
      }
    });

    it('are limited to 1,000', async function () {
      this.timeout(300_000);
      const ids = createIds(systemClock);
      const member = await addMember(options(), key, node({ node_name: 'Tokenize' }));
      const further = Array.from({ length: 998 }, (_, index) => ({
        ...member,
        id: ids.ulid(),
        alias: `a${index}`,
      }));
      for (let at = 0; at < further.length; at += 50)
        await insertMembers(db.knex, further.slice(at, at + 50));
      await addMember(options(), key, node({ node_name: 'Tokenize', alias: 'thousandth' }));
      await assert.rejects(addMember(options(), key, node({ node_name: 'Tokenize', alias: 'more' })), {
        status: 400,
        body: { error: 'a client can have at most 1000 members' },
      });
    });

    it('keep their pin when a later version is published', async () => {
      const member = await addMember(options(), key, node({ node_name: 'Tokenize', version: '1.0.0' }));
      assert.equal(member.packageVersion, '1.0.0');
      const byUlid = await addMember(
        options(),
        key,
        node({ node_ulid: member.nodeUlid, version: '1.0.0', alias: 'again' }),
      );
      assert.equal(byUlid.nodeUlid, member.nodeUlid);
    });

    it('are rejected if the tenant has no such package, version, node or flow', async () => {
      const refused: [object, string][] = [
        [node({ package: 'acme/none', node_name: 'Tokenize' }), 'package not found'],
        [node({ package: 'acme', node_name: 'Tokenize' }), 'package not found'],
        [node({ package: 'acme/text/x', node_name: 'Tokenize' }), 'package not found'],
        [node({ package: 'rival/text', node_name: 'Tokenize' }), 'package not found'],
        [node({ node_name: 'Tokenize', version: '9.9.9' }), 'package version not found'],
        [node({ node_name: 'None' }), 'node not found'],
        [node({ node_ulid: 'none' }), 'node not found'],
        [{ type: 'flow', artifact_id: 'f1' }, 'flow not found'],
      ];
      for (const [body, error] of refused) {
        await assert.rejects(addMember(options(), key, body as never), (thrown: unknown) => {
          assert.ok(thrown instanceof ApiError);
          assert.deepEqual([thrown.status, (thrown.body as { error: string }).error], [404, error]);
          return true;
        });
      }
    });

    it('are rejected if their ULID belongs to another version or node', async () => {
      const old = await addMember(options(), key, node({ node_name: 'Tokenize', version: '1.0.0' }));
      const requested = node({ node_ulid: old.nodeUlid, alias: 'x', version: '1.1.0' });
      await assert.rejects(addMember(options(), key, requested), { status: 404 });
      const both = node({ node_ulid: old.nodeUlid, node_name: 'Split', alias: 'x', version: '1.0.0' });
      await assert.rejects(addMember(options(), key, both), { status: 404 });
    });

    it('may come from public packages of others and private packages of the tenant', async () => {
      const publication = await publishText(db, other, { name: 'rival/open' });
      const foreign = node({ package: 'rival/open', node_name: 'Tokenize' });
      assert.equal((await addMember(options(), key, foreign)).packageName, 'rival/open');
      await updatePackage(db.knex, other.id, publication.package.id, { visibility: 'private' });
      await assert.rejects(addMember(options(), key, { ...foreign, alias: 'x' }), { status: 404 });
      const own = { tenantId: other.id, clientId: (await storedClient(db.knex, other.id)).id };
      assert.equal((await addMember(options(), own, foreign)).alias, 'Tokenize');
    });

    it('are rejected with the name of a missing field', async () => {
      const refused: [object, RegExp][] = [
        [{ type: 'node', node_name: 'Tokenize' }, /^package is required/],
        [node({}), /^node_name or node_ulid is required/],
        [{ type: 'flow' }, /^artifact_id is required/],
        [node({ node_name: 'Pick' }), /is generic/],
      ];
      for (const [body, text] of refused) {
        await assert.rejects(addMember(options(), key, body as never), (error: never) => {
          const { status, body: answer } = error as { status: number; body: { error: string } };
          assert.equal(status, 400);
          assert.match(answer.error, text);
          return true;
        });
      }
    });

    it('have unique aliases, even under concurrency', async () => {
      const taken = {
        status: 409,
        body: { error: 'a member with that alias already exists — pass a distinct alias' },
      };
      const body = node({ node_name: 'Tokenize' });
      const results = await Promise.allSettled([
        addMember(options(), key, body),
        addMember(options(), key, body),
      ]);
      assert.equal(results.filter((result) => result.status === 'fulfilled').length, 1);
      await assert.rejects(
        addMember(options(), key, node({ node_name: 'Split', alias: ' Tokenize ' })),
        taken,
      );
      await assert.rejects(replaceMembers(options(), key, [body, body]), taken);
    });

    it('must be removed before another version of the node can use the alias', async () => {
      const refusal = async (body: object): Promise<unknown> => {
        const adding = addMember(options(), key, node(body));
        return adding.then(
          () => assert.fail('it was added'),
          (error: unknown) => (error as { body: unknown }).body,
        );
      };
      const taken = { error: 'a member with that alias already exists — pass a distinct alias' };
      const { id } = await addMember(options(), key, node({ node_name: 'Tokenize', version: '1.0.0' }));
      assert.deepEqual(await refusal({ node_name: 'Tokenize', version: '1.1.0' }), {
        ...taken,
        message:
          'the alias "Tokenize" belongs to version 1.0.0 of the same node: ' +
          'remove that member first (svc client remove), or pass a distinct alias',
      });
      assert.deepEqual(await refusal({ node_name: 'Tokenize', version: '1.0.0' }), taken, 'the same');
      const split = { node_name: 'Split', version: '1.1.0', alias: 'Tokenize' };
      assert.deepEqual(await refusal(split), taken, 'another node');
      await removeMember(options(), key, id);
      const next = await addMember(options(), key, node({ node_name: 'Tokenize', version: '1.1.0' }));
      assert.deepEqual([next.alias, next.packageVersion], ['Tokenize', '1.1.0']);
    });

    it('are replaced atomically', async () => {
      await addMember(options(), key, node({ node_name: 'Tokenize' }));
      const before = await listMembers(db.knex, tenant.id, client.id);
      const [split, count] = [node({ node_name: 'Split' }), node({ node_name: 'CountWords' })];
      await assert.rejects(replaceMembers(options(), key, [split, split]), { status: 409 });
      await assert.rejects(replaceMembers(options(), key, [split, node({ node_name: 'None' })]), {
        status: 404,
      });
      assert.deepEqual(await listMembers(db.knex, tenant.id, client.id), before);
      const replaced = await replaceMembers(options(), key, [split, count]);
      assert.deepEqual(await listMembers(db.knex, tenant.id, client.id), replaced);
      assert.deepEqual(
        replaced.map((member) => member.alias),
        ['Split', 'CountWords'],
      );
    });

    it('require a client of the tenant', async () => {
      const foreign = { tenantId: other.id, clientId: client.id };
      const missing = { status: 404, body: { error: 'client not found' } };
      await assert.rejects(addMember(options(), foreign, node({ node_name: 'Tokenize' })), missing);
      await assert.rejects(replaceMembers(options(), foreign, []), missing);
      await assert.rejects(removeMember(options(), foreign, 'any'), missing);
    });

    it('can be removed repeatedly', async () => {
      const member = await addMember(options(), key, node({ node_name: 'Tokenize' }));
      await removeMember(options(), key, member.id);
      await removeMember(options(), key, member.id);
      assert.deepEqual(await listMembers(db.knex, tenant.id, client.id), []);
    });
  });
});
