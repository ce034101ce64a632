import assert from 'node:assert/strict';
import { findPublicPackages, findPublicVersion } from '../../../service/nodes/public-packages.ts';
import type { Database } from '../../../service/store/database.ts';
import { insertPackageVersion } from '../../../service/store/package-versions.ts';
import { insertPackage } from '../../../service/store/packages.ts';
import { eachDatabase } from '../../support/databases.ts';
import { samplePackage, sampleVersion, storedTenant } from '../../support/sample-records.ts';

describe('public packages', () => {
  eachDatabase((open) => {
    let db: Database;

    before(async () => {
      db = await open();
      const { id: tenantId } = await storedTenant(db.knex);
      const publish = async (
        name: string,
        visibility: 'public' | 'private',
        versions: string[],
      ): Promise<void> => {
        const owner = samplePackage(tenantId, { handle: 'acme', name, visibility, description: 'Some.' });
        await insertPackage(db.knex, owner);
        for (const version of versions) {
          await insertPackageVersion(db.knex, sampleVersion(owner, { version }));
        }
      };
      await publish('b', 'public', ['1.9.0', '1.10.0', '2.0.0-rc.1']);
      await publish('a', 'public', ['1.0.0']);
      await publish('c', 'private', ['1.0.0']);
      await publish('d', 'public', ['1.0.0-rc.1']);
    });

    const found = async (search: string, limit: number) => {
      const { found: packages, isCut } = await findPublicPackages(db.knex, search, limit);
      return { names: packages.map((each) => each.package.name), isCut };
    };

    it('are found by name, each with its versions', async () => {
      const { found: packages } = await findPublicPackages(db.knex, '', 10);
      assert.deepEqual(
        packages.map((each) => [each.package.name, each.versions]),
        [
          ['a', ['1.0.0']],
          ['b', ['2.0.0-rc.1', '1.10.0', '1.9.0']],
          ['d', ['1.0.0-rc.1']],
        ],
      );
    });

    it('report whether the matches exceed the limit', async () => {
      assert.deepEqual(await found('', 3), { names: ['a', 'b', 'd'], isCut: false });
      assert.deepEqual(await found('', 2), { names: ['a', 'b'], isCut: true });
      assert.deepEqual(await found('ACME/B', 1), { names: ['b'], isCut: false });
      assert.deepEqual(await found('nothing', 1), { names: [], isCut: false });
    });

    it('resolve latest to the highest release, or else to the highest version', async () => {
      const version = async (name: string, asked: string) =>
        (await findPublicVersion(db.knex, { owner: 'acme', package: name, version: asked }))?.version;
      assert.equal(await version('b', 'latest'), '1.10.0');
      assert.equal(await version('b', '2.0.0-rc.1'), '2.0.0-rc.1');
      assert.equal(await version('d', 'latest'), '1.0.0-rc.1');
      assert.equal(await version('b', '3.0.0'), undefined);
    });

    it('exclude private and unknown packages', async () => {
      for (const name of ['c', 'nobody']) {
        for (const version of ['1.0.0', 'latest']) {
          assert.equal(
            await findPublicVersion(db.knex, { owner: 'acme', package: name, version }),
            undefined,
          );
        }
      }
    });
  });
});
