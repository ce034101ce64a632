import assert from 'node:assert/strict';
import { addMember, replaceMembers } from '../../../service/clients/change-members.ts';
import { sdkModelOfVersion } from '../../../service/builds/sdk-model-of-version.ts';
import { loadVersionSource } from '../../../service/clients/version-source.ts';
import { systemClock } from '../../../service/clock.ts';
import { createIds } from '../../../service/ids.ts';
import type { Client } from '../../../service/store/clients.ts';
import type { Database } from '../../../service/store/database.ts';
import type { Tenant } from '../../../service/store/tenants.ts';
import { requestBuilds, storedBundle } from '../../support/build-fixture.ts';
import { eachDatabase } from '../../support/databases.ts';
import { publishText } from '../../support/published-text.ts';

describe('the model of a client version', () => {
  eachDatabase((open) => {
    let db: Database;
    let tenant: Tenant;
    let client: Client;
    const options = () => ({ db, clock: systemClock, ids: createIds(systemClock) });
    const modelOf = async (version: number) => {
      const key = { tenantId: tenant.id, clientId: client.id, version };
      const source = await loadVersionSource(db.knex, key, 'go.example.com/sdk');
      return source && sdkModelOfVersion(structuredClone(source));
    };

    before(async () => {
      db = await open();
      ({ tenant, client } = await storedBundle(db));
      await requestBuilds(db, tenant, client.id, []);
    });

    it('contains the snapshot and the types of the pinned versions', async () => {
      const model = await modelOf(1);
      assert.ok(model);
      assert.deepEqual(model.client, {
        name: 'Text tools',
        slug: 'text-tools',
        description: '',
        handle: tenant.handle,
        metadata: {},
      });
      assert.deepEqual([model.version, model.semver], [1, '1.0.0']);
      assert.match(model.generator, /^svc\/\d+\.\d+\.\d+$/);
      assert.equal(model.goModulePrefix, 'go.example.com/sdk');
      assert.deepEqual(
        model.members.map(({ alias, type }) => [alias, type]),
        [['Tokenize', 'node']],
      );
      assert.deepEqual(
        model.types.messages.map((message) => [message.fullName, message.comment]),
        [
          ['acme.text.v1.TokenizeReply', ''],
          ['acme.text.v1.TokenizeRequest', 'What to take apart.'],
          ['acme.text.v1.Word', 'A word of the text.'],
        ],
      );
    });

    it('is unaffected by later versions, changes and builds', async () => {
      const before = await modelOf(1);
      await publishText(db, tenant, { version: '1.1.0', wordFields: 'string lemma = 3;' });
      const text = { type: 'node' as const, package: `${tenant.handle}/text` };
      const key = { tenantId: tenant.id, clientId: client.id };
      await replaceMembers(options(), key, [{ ...text, node_name: 'Tokenize' }]);
      await addMember(options(), key, { ...text, node_name: 'CountWords' });
      await requestBuilds(db, tenant, client.id, []);
      assert.deepEqual(await modelOf(1), before);
    });

    it('contains the releases up to its own, newest first, with their additions', async () => {
      const model = await modelOf(2);
      assert.deepEqual(
        model?.changelog.map(({ semver, version }) => [semver, version]),
        [
          ['1.1.0', 2],
          ['1.0.0', 1],
        ],
      );
      assert.deepEqual(
        model.firstSeen.map(({ version, members, parts }) => [version, members, parts]),
        [[2, ['CountWords'], ['acme.text.v1.Word.lemma']]],
      );
    });

    it('is undefined for a missing version', async () => {
      assert.equal(await modelOf(3), undefined);
    });
  });
});
