import assert from 'node:assert/strict';
import {
  buildTaken,
  claimBuild,
  type ClientBuild,
  findBuild,
  finishBuild,
  insertBuild,
  readBuilds,
  renewBuildLease,
  resetBuild,
} from '../../../service/store/client-builds.ts';
import { insertClientVersion } from '../../../service/store/client-versions.ts';
import type { Client } from '../../../service/store/clients.ts';
import type { Database } from '../../../service/store/database.ts';
import { wholeList } from '../../../service/store/records.ts';
import { isUniqueViolation } from '../../../service/store/database-errors.ts';
import { eachDatabase, openAgain } from '../../support/databases.ts';
import { sampleBuild, storedClient, storedTenant } from '../../support/sample-records.ts';

describe('client builds', () => {
  eachDatabase((open) => {
    let db: Database;
    beforeEach(async () => {
      db = await open();
    });

    async function builtClient(): Promise<Client> {
      const client = await storedClient(db.knex, (await storedTenant(db.knex)).id);
      const frozen = { tenantId: client.tenantId, clientId: client.id, semver: '1.0.0', snapshot: {} };
      for (const version of [1, 2]) await insertClientVersion(db.knex, { ...frozen, version, createdAt: 1 });
      return client;
    }

    async function queue(client: Client, ...languages: string[]): Promise<ClientBuild[]> {
      const builds = languages.map((language, at) => sampleBuild(client, { language, createdAt: at }));
      for (const build of builds) await insertBuild(db.knex, build);
      return builds;
    }

    const find = ({ tenantId, clientId, version, language }: ClientBuild): Promise<ClientBuild | undefined> =>
      findBuild(db.knex, tenantId, clientId, version, language);

    it('are unique by version and language, and are listed by version', async () => {
      const client = await builtClient();
      const second = sampleBuild(client, { version: 2, createdAt: 1, size: 5_000_000_000, sha256: 'ab' });
      const first = sampleBuild(client, { version: 1, createdAt: 2 });
      await insertBuild(db.knex, second);
      await insertBuild(db.knex, first);
      assert.deepEqual(await wholeList(readBuilds(db.knex, { ...client, latestVersion: 2 })), [
        second,
        first,
      ]);
      await assert.rejects(insertBuild(db.knex, sampleBuild(client)), (error) =>
        isUniqueViolation(error, buildTaken),
      );
    });

    it('are claimed oldest first, and again only after the lease expires', async () => {
      const [older, younger] = await queue(await builtClient(), 'go', 'rust');
      const claim = { now: 1_000, leaseMs: 50 };
      const leased = { leaseOwner: 'a', leaseUntil: 1_050 };
      assert.deepEqual(await claimBuild(db.knex, { ...claim, owner: 'a' }), { ...older!, ...leased });
      assert.equal((await claimBuild(db.knex, { ...claim, owner: 'b' }))?.id, younger?.id);
      assert.equal(await claimBuild(db.knex, { ...claim, owner: 'c', now: 1_049 }), undefined);
      assert.equal((await claimBuild(db.knex, { ...claim, owner: 'd', now: 1_050 }))?.id, older?.id);
    });

    it('are claimed across tenants', async () => {
      await queue(await builtClient(), 'go');
      await queue(await builtClient(), 'go');
      const claim = { now: 1_000, leaseMs: 50 };
      assert.ok(await claimBuild(db.knex, { ...claim, owner: 'a' }));
      assert.ok(await claimBuild(db.knex, { ...claim, owner: 'b' }));
    });

    it('are claimed from tenants in turn', async () => {
      const many = await builtClient();
      const few = await builtClient();
      await queue(many, 'a', 'b', 'c', 'd');
      await queue(few, 'e', 'f');
      const claimed: string[] = [];
      let after: string | undefined;
      for (let build; (build = await claimBuild(db.knex, { owner: 'a', now: 1_000, leaseMs: 50, after }));) {
        claimed.push(build.language);
        after = build.tenantId;
      }
      // Ids of tenants are in the order of their creation.
      assert.equal(claimed.join(''), 'aebfcd');
    });

    it('are claimed by one process each under concurrency', async () => {
      const builds = await queue(await builtClient(), ...Array.from({ length: 40 }, (_, n) => `l${n}`));
      const processes = [db, await openAgain(db), await openAgain(db)];
      const claims = Array.from({ length: 60 }, (_, n) =>
        claimBuild(processes[n % 3]!.knex, { owner: `worker ${n}`, now: 1_000, leaseMs: 50 }),
      );
      const taken = (await Promise.all(claims)).filter((build) => build !== undefined);
      const ids = new Set(taken.map((build) => build.id));
      assert.equal(taken.length, ids.size, 'a build went to two claimers');
      // A claim may find nothing while other claims hold locks, so it is repeated.
      for (let build; (build = await claimBuild(db.knex, { owner: 'late', now: 1_001, leaseMs: 50 }));) {
        assert.ok(!ids.has(build.id));
        ids.add(build.id);
      }
      assert.equal(ids.size, builds.length);
    });

    it('keep a renewed lease unless another claim has replaced it', async () => {
      const [build] = await queue(await builtClient(), 'go');
      const { tenantId, id } = build!;
      const renew = (owner: string, leaseUntil: number): Promise<boolean> =>
        renewBuildLease(db.knex, { tenantId, id, owner, leaseUntil });
      await claimBuild(db.knex, { owner: 'slow', now: 1_000, leaseMs: 50 });
      assert.equal(await renew('slow', 1_200), true);
      assert.equal(await claimBuild(db.knex, { owner: 'next', now: 1_199, leaseMs: 50 }), undefined);
      assert.ok(await claimBuild(db.knex, { owner: 'next', now: 1_200, leaseMs: 50 }));
      assert.equal(await renew('slow', 9_999), false);
      assert.equal((await find(build!))?.leaseUntil, 1_250);
    });

    it('are finished once, by the holder of the lease', async () => {
      const [build] = await queue(await builtClient(), 'go');
      const { tenantId, id } = build!;
      await claimBuild(db.knex, { owner: 'slow', now: 1_000, leaseMs: 50 });
      await claimBuild(db.knex, { owner: 'next', now: 1_050, leaseMs: 50 });
      const success = { status: 'succeeded', sha256: 'beef', size: 12 } as const;
      assert.equal(
        await finishBuild(db.knex, { tenantId, id, owner: 'slow' }, { status: 'failed', error: 'x' }),
        false,
      );
      assert.equal(await finishBuild(db.knex, { tenantId, id, owner: 'next' }, success), true);
      assert.equal(await finishBuild(db.knex, { tenantId, id, owner: 'next' }, success), false);
      assert.deepEqual(await find(build!), { ...build!, ...success });
      assert.equal(await claimBuild(db.knex, { owner: 'late', now: 9_999, leaseMs: 50 }), undefined);
    });

    it('are queued again after a failure', async () => {
      const [build] = await queue(await builtClient(), 'go');
      const { tenantId, id } = build!;
      await claimBuild(db.knex, { owner: 'a', now: 1_000, leaseMs: 50 });
      await finishBuild(db.knex, { tenantId, id, owner: 'a' }, { status: 'failed', error: 'no space' });
      assert.equal((await find(build!))?.error, 'no space');
      // It has changed since it was read.
      await resetBuild(db.knex, build!);
      const failed = await find(build!);
      assert.equal(failed?.status, 'failed');
      await resetBuild(db.knex, failed);
      assert.deepEqual(await find(build!), build);
      assert.equal((await claimBuild(db.knex, { owner: 'b', now: 1_001, leaseMs: 50 }))?.id, id);
    });
  });
});
