import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { changeKey, UnreadableSecretsError } from '../../../../service/access/secrets/change-key.ts';
import { createDeploymentTokens } from '../../../../service/access/secrets/deployment-tokens.ts';
import { openSecret, sealSecret, tokenOwner } from '../../../../service/access/secrets/secret-cipher.ts';
import { createSecretStore } from '../../../../service/access/secrets/secret-store.ts';
import { hasOtherSealingKey, SealingKeyError } from '../../../../service/access/secrets/sealing-key.ts';
import { systemClock } from '../../../../service/clock.ts';
import type { Database } from '../../../../service/store/database.ts';
import { findPackageVersionById, setEndpoint } from '../../../../service/store/package-versions.ts';
import { deleteSecret, findSecrets, saveSecret } from '../../../../service/store/secrets.ts';
import { eachDatabase } from '../../../support/databases.ts';
import { storedTenant, storedVersion } from '../../../support/sample-records.ts';

const clock = systemClock;
const token = 'token-of-the-deployment';

describe('changing the key of secrets', () => {
  eachDatabase((open) => {
    let db: Database;
    let key: Buffer;
    let tenantIds: string[];
    let versionId: string;
    const names = Array.from({ length: 120 }, (_, index) => `S${index}`);

    const storeWith = (current: Uint8Array) => createSecretStore({ tx: db.knex, clock, key: current });
    const valuesWith = (current: Uint8Array) =>
      Promise.all(tenantIds.map((id) => storeWith(current).values(id, names)));
    const tokenWith = async (current: Uint8Array): Promise<string | undefined> => {
      const version = await findPackageVersionById(db.knex, tenantIds[0]!, versionId);
      return openSecret(current, tokenOwner(version!), version!.sealedToken!);
    };

    before(async () => {
      db = await open();
    });
    beforeEach(async () => {
      await db.knex('secrets').delete();
      await db.knex('sealing_key').delete();
      await db.knex('package_versions').update({ sealed_token: null });
      key = randomBytes(32);
      tenantIds = [(await storedTenant(db.knex)).id, (await storedTenant(db.knex)).id];
      for (const id of tenantIds)
        for (const name of names) await storeWith(key).set(id, name, `${id} ${name}`);
      const version = await storedVersion(db.knex, tenantIds[0]!);
      versionId = version.id;
      const sealedToken = await createDeploymentTokens(key, clock).seal(db.knex, version, token);
      await setEndpoint(db.knex, version.tenantId, version.id, 'grpc://localhost:1', { sealedToken });
    });

    it('re-encrypts every secret and token', async () => {
      const [to, before] = [randomBytes(32), await valuesWith(key)];
      assert.deepEqual(await changeKey(db, { from: key, to, clock }), { secrets: 240, tokens: 1 });
      assert.deepEqual(await valuesWith(to), before);
      assert.equal(await tokenWith(to), token);
      assert.equal(await tokenWith(key), undefined);
      await assert.rejects(valuesWith(key), /was encrypted with another key: restart the service/);
      assert.deepEqual(
        [await hasOtherSealingKey(db.knex, key), await hasOtherSealingKey(db.knex, to)],
        [true, false],
      );
    });

    it('has no effect the second time', async () => {
      const to = randomBytes(32);
      await changeKey(db, { from: key, to, clock });
      assert.equal(await changeKey(db, { from: key, to, clock }), undefined);
      assert.equal(await tokenWith(to), token);
    });

    it('changes nothing if values cannot be decrypted, and reports all of them', async () => {
      const lost = sealSecret(randomBytes(32), { tenantId: tenantIds[1]!, name: 'S7' }, 'x');
      const times = { createdAt: 0, updatedAt: 0, armedUntil: null };
      await saveSecret(db.knex, { tenantId: tenantIds[1]!, name: 'S7', sealed: lost, ...times });
      await assert.rejects(changeKey(db, { from: key, to: randomBytes(32), clock }), (error) => {
        assert.ok(error instanceof UnreadableSecretsError);
        assert.deepEqual(error.owners, [{ tenantId: tenantIds[1], name: 'S7' }]);
        return true;
      });
      assert.equal(await tokenWith(key), token);
      assert.equal(await hasOtherSealingKey(db.knex, key), false);
    });

    it('requires the current key', async () => {
      const wrong = randomBytes(32);
      await assert.rejects(changeKey(db, { from: wrong, to: randomBytes(32), clock }), SealingKeyError);
      assert.equal(await tokenWith(key), token);
    });

    it('prevents processes with the old key from storing values', async () => {
      const [first] = tenantIds;
      const to = randomBytes(32);
      await changeKey(db, { from: key, to, clock });
      await assert.rejects(storeWith(key).set(first!, 'S1', 'new'), SealingKeyError);
      const old = createDeploymentTokens(key, clock);
      await assert.rejects(old.seal(db.knex, { tenantId: first!, id: versionId }, token), SealingKeyError);
      assert.equal((await storeWith(to).values(first!, ['S1'])).S1, `${first} S1`);
      await storeWith(to).set(first!, 'S1', 'new');
      assert.equal((await storeWith(to).values(first!, ['S1'])).S1, 'new');
    });

    it('succeeds once under concurrency', async () => {
      const keys = [randomBytes(32), randomBytes(32), randomBytes(32)];
      const changes = await Promise.allSettled(keys.map((to) => changeKey(db, { from: key, to, clock })));
      const succeeded = keys.filter((_, index) => changes[index]?.status === 'fulfilled');
      assert.equal(succeeded.length, 1);
      assert.equal(await tokenWith(succeeded[0]!), token);
    });

    it('re-encrypts values stored before the database recorded its key', async () => {
      await db.knex('sealing_key').delete();
      const wrong = storeWith(randomBytes(32));
      await assert.rejects(wrong.set(tenantIds[0]!, 'OTHER', 'x'), SealingKeyError);
      const to = randomBytes(32);
      assert.equal((await changeKey(db, { from: key, to, clock }))?.secrets, 240);
    });

    it('is not required once every value encrypted with a lost key is deleted', async () => {
      const fresh = storeWith(randomBytes(32));
      const [first] = tenantIds;
      for (const id of tenantIds) for (const name of names) await deleteSecret(db.knex, id, name);
      await assert.rejects(fresh.set(first!, 'S1', 'x'), SealingKeyError, 'the token is still there');
      await setEndpoint(db.knex, first!, versionId, 'grpc://localhost:1');
      await fresh.set(first!, 'S1', 'x');
      assert.equal((await findSecrets(db.knex, first!, ['S1'])).length, 1);
      await assert.rejects(storeWith(key).set(first!, 'S2', 'x'), SealingKeyError);
    });
  });
});
