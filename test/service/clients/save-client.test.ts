import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createArchiveStore } from '../../../service/clients/archive-store.ts';
import { createDiskObjectStore } from '../../../service/objects/disk-object-store.ts';
import { readClient } from '../../../service/clients/read-client.ts';
import { createClient, removeClient, replaceClient } from '../../../service/clients/save-client.ts';
import { systemClock } from '../../../service/clock.ts';
import { createIds } from '../../../service/ids.ts';
import { findClient } from '../../../service/store/clients.ts';
import type { Database } from '../../../service/store/database.ts';
import type { Tenant } from '../../../service/store/tenants.ts';
import { eachDatabase } from '../../support/databases.ts';
import { storedTenant } from '../../support/sample-records.ts';

describe('clients', () => {
  eachDatabase((open) => {
    const taken = { status: 409, body: { error: 'a client with that name already exists' } };
    let db: Database;
    let tenant: Tenant;
    const options = () => ({ db, clock: systemClock, ids: createIds(systemClock) });
    const named = (name: string) => ({ name, description: '' });

    before(async () => {
      db = await open();
    });
    beforeEach(async () => {
      tenant = await storedTenant(db.knex);
    });

    it('start with a slug of their name, and TypeScript as the default language', async () => {
      const client = await createClient(options(), tenant, named('My Orders'));
      assert.deepEqual(await findClient(db.knex, tenant.id, client.id), client);
      assert.equal(client.slug, 'my-orders');
      assert.equal(client.defaultLanguage, 'typescript');
      assert.equal(client.latestVersion, 0);
    });

    it('have unique names within a tenant', async () => {
      await createClient(options(), tenant, named('Orders'));
      await assert.rejects(createClient(options(), tenant, named('Orders')), taken);
      await createClient(options(), await storedTenant(db.knex), named('Orders'));
    });

    it('have distinct slugs for similar names, even under concurrency', async () => {
      const names = ['💥', '***', 'client', 'Client', 'CLIENT'];
      const made = await Promise.all(names.map((name) => createClient(options(), tenant, named(name))));
      assert.deepEqual(made.map((client) => client.slug).sort(), [
        'client',
        'client-2',
        'client-3',
        'client-4',
        'client-5',
      ]);
    });

    it('accept only one of two concurrent requests for the same name', async () => {
      const results = await Promise.allSettled([
        createClient(options(), tenant, named('Same')),
        createClient(options(), tenant, named('Same')),
      ]);
      const refused = results.filter((result) => result.status === 'rejected');
      assert.deepEqual(
        refused.map((result) => (result.reason as { status: number }).status),
        [409],
      );
    });

    it('are replaced with defaults for absent fields and a new slug', async () => {
      const fields = { name: 'Old', description: 'text', defaultLanguage: 'go' };
      const client = await createClient(options(), tenant, fields);
      await replaceClient(options(), tenant, client.id, named('New name'));
      const replaced = await readClient(db.knex, tenant.id, client.id);
      assert.deepEqual(
        [replaced.name, replaced.slug, replaced.description, replaced.defaultLanguage],
        ['New name', 'new-name', '', 'typescript'],
      );
    });

    it('keep their slug if the name stays the same', async () => {
      await createClient(options(), tenant, named('a b'));
      const second = await createClient(options(), tenant, named('a-b'));
      assert.equal(second.slug, 'a-b-2');
      await replaceClient(options(), tenant, second.id, named('a-b'));
      assert.equal((await readClient(db.knex, tenant.id, second.id)).slug, 'a-b-2');
      await assert.rejects(replaceClient(options(), tenant, second.id, named('a b')), taken);
    });

    it('reject unknown languages and clients of other tenants', async () => {
      const cobol = { ...named('x'), defaultLanguage: 'cobol' };
      const unsupported = { status: 400, body: { error: 'unsupported language: cobol' } };
      const missing = { status: 404, body: { error: 'client not found' } };
      await assert.rejects(createClient(options(), tenant, cobol), unsupported);
      const client = await createClient(options(), tenant, named('x'));
      await assert.rejects(replaceClient(options(), tenant, client.id, cobol), unsupported);
      const other = await storedTenant(db.knex);
      await assert.rejects(replaceClient(options(), other, client.id, named('y')), missing);
      await assert.rejects(readClient(db.knex, other.id, client.id), missing);
    });

    it('are deleted with their archives', async () => {
      const dataDir = await mkdtemp(path.join(tmpdir(), 'svc-archives-'));
      const archives = createArchiveStore(createDiskObjectStore(dataDir));
      const client = await createClient(options(), tenant, named('x'));
      const key = {
        tenantId: tenant.id,
        clientId: client.id,
        version: 1,
        language: 'go',
        sha256: 'ab',
      };
      await archives.put(key, new Uint8Array([1]));
      const other = await storedTenant(db.knex);
      await assert.rejects(removeClient({ db, archives }, other, client.id), { status: 404 });
      assert.ok(await archives.read(key));
      await removeClient({ db, archives }, tenant, client.id);
      assert.equal(await archives.read(key), undefined);
      await assert.rejects(removeClient({ db, archives }, tenant, client.id), { status: 404 });
      await rm(dataDir, { recursive: true });
    });
  });
});
