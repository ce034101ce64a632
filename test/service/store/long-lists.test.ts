import assert from 'node:assert/strict';
import { insertApiKey, readApiKeys } from '../../../service/store/api-keys.ts';
import { insertBuild, readBuilds } from '../../../service/store/client-builds.ts';
import { insertClientVersion } from '../../../service/store/client-versions.ts';
import { insertClient, readClients } from '../../../service/store/clients.ts';
import type { Database } from '../../../service/store/database.ts';
import { insertGraph, readGraphs } from '../../../service/store/graphs.ts';
import { insertPackage, readVisiblePackages } from '../../../service/store/packages.ts';
import { eachDatabase } from '../../support/databases.ts';
import {
  sampleBuild,
  sampleClient,
  sampleGraph,
  sampleKey,
  samplePackage,
  storedClient,
  storedTenant,
} from '../../support/sample-records.ts';

/** Every third record is as old as the one before, so that batches end between equal times. */
const createdAt = (n: number): number => 1_000 + n - (n % 3 === 2 ? 1 : 0);
const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

/** Batches of at most 100 records, of which only the last is shorter. */
const inParts = (ids: readonly string[]): string[][] => {
  const parts: string[][] = [];
  for (let start = 0; start < ids.length; start += 100) parts.push(ids.slice(start, start + 100));
  return parts;
};

async function idsOf(parts: AsyncIterable<readonly { id: string }[]>): Promise<string[][]> {
  return (await Array.fromAsync(parts)).map((part) => part.map(({ id }) => id));
}

describe('long lists', () => {
  eachDatabase((open) => {
    let db: Database;
    let tenantId: string;
    before(async () => {
      db = await open();
      tenantId = (await storedTenant(db.knex)).id;
      // Of another tenant, and never listed.
      const { id } = await storedTenant(db.knex);
      await storedClient(db.knex, id);
      await insertApiKey(db.knex, sampleKey(id));
    });

    it('of keys and clients are read in batches, oldest first', async () => {
      const keys = numbers(250).map((n) => sampleKey(tenantId, { createdAt: createdAt(n) }));
      for (const key of keys.toReversed()) await insertApiKey(db.knex, key);
      assert.deepEqual(await idsOf(readApiKeys(db.knex, tenantId)), inParts(keys.map(({ id }) => id)));

      const clients = numbers(201).map((n) => sampleClient(tenantId, { createdAt: createdAt(n) }));
      for (const client of clients.toReversed()) await insertClient(db.knex, client);
      assert.deepEqual(await idsOf(readClients(db.knex, tenantId)), inParts(clients.map(({ id }) => id)));
    });

    it('of graphs are read in batches, newest first', async () => {
      const graphs = numbers(250).map((n) =>
        sampleGraph(tenantId, { id: `g_${String(n).padStart(3, '0')}`, createdAt: createdAt(n) }),
      );
      for (const graph of graphs) await insertGraph(db.knex, graph, []);
      const newestFirst = graphs.map(({ id }) => id).toReversed();
      assert.deepEqual(await idsOf(readGraphs(db.knex, tenantId)), inParts(newestFirst));
    });

    it('of packages are read in batches, by name', async () => {
      const packages = numbers(150).map((n) =>
        samplePackage(tenantId, { handle: 'acme', name: `p-${String(n).padStart(3, '0')}` }),
      );
      for (const one of packages.toReversed()) await insertPackage(db.knex, one);
      assert.deepEqual(
        await idsOf(readVisiblePackages(db.knex, tenantId)),
        inParts(packages.map(({ id }) => id)),
      );
    });

    it('of builds are read in batches of 20 versions, newest version first', async () => {
      const client = { ...(await storedClient(db.knex, tenantId)), latestVersion: 45 };
      const expected: string[] = [];
      for (let version = 45; version > 0; version -= 1) {
        const frozen = { tenantId, clientId: client.id, version, semver: '1.0.0', snapshot: {} };
        await insertClientVersion(db.knex, { ...frozen, createdAt: 1 });
        const [later, earlier] = [2, 1].map((at) =>
          sampleBuild(client, { version, createdAt: at, language: `l${at}` }),
        );
        await insertBuild(db.knex, later!);
        await insertBuild(db.knex, earlier!);
        expected.push(earlier!.id, later!.id);
      }
      const parts = await idsOf(readBuilds(db.knex, client));
      assert.deepEqual(
        parts.map(({ length }) => length),
        [40, 40, 10],
      );
      assert.deepEqual(parts.flat(), expected);
    });
  });
});
