import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import type { Database } from '../../../service/store/database.ts';
import { OutdatedDatabaseError } from '../../../service/store/database-errors.ts';
import { migrateDatabase, pendingMigrations, requireCurrentSchema } from '../../../service/store/migrate.ts';
import { migrations } from '../../../service/store/migrations/all-migrations.ts';
import { type DatabaseOptions, openDatabase } from '../../../service/store/open-database.ts';
import { eachDatabase, postgresOptions, sqliteOptions } from '../../support/databases.ts';
import { storedTenant } from '../../support/sample-records.ts';
import { suiteNeeds } from '../../support/toolchains.ts';

const all = Object.keys(migrations);

describe('migrations', () => {
  it('have names in lexical order', () => assert.deepEqual(all, [...all].sort()));

  eachDatabase((open) => {
    let db: Database;
    beforeEach(async () => {
      db = await open();
    });

    it('run once', async () => {
      assert.deepEqual(await pendingMigrations(db), []);
      assert.deepEqual(await migrateDatabase(db), []);
      await requireCurrentSchema(db);
    });

    it('reject the database of a newer version', async () => {
      await db.knex('schema_migrations').insert({ name: '9999-from-the-future', batch: 2 });
      for (const attempt of [migrateDatabase(db), requireCurrentSchema(db)]) {
        await assert.rejects(attempt, (error) => {
          assert.ok(error instanceof OutdatedDatabaseError);
          assert.match(error.message, /newer version of svc .*9999-from-the-future/);
          return true;
        });
      }
    });

    it('start every primary key and unique index of tenant data with the tenant', async () => {
      // Rows that are found before a tenant is known; replicas, the encryption key and logins, which have no tenant.
      const exceptions = [
        'tenants(id)',
        'tenants(handle)',
        'api_keys(key_hash)',
        'replicas(id)',
        'sealing_key(id)',
        'logins(secret_hash)',
        'logins(code)',
      ];
      const indexes = await (db.dialect === 'sqlite' ? sqliteIndexes : postgresIndexes)(db);
      const own = indexes.filter((index) => !index.startsWith('schema_migrations'));
      assert.ok(own.length >= 10 * 1.5, `found ${own.length} indexes`);
      const astray = own.filter((index) => !/^\w+\(tenant_id,/.test(index));
      assert.deepEqual(astray.sort(), exceptions.sort());
    });
  });
});

async function sqliteIndexes(db: Database): Promise<string[]> {
  const rows: { name: string }[] = await db.knex.raw(`
    select m.name || '(' || group_concat(i.name, ',') || ')' as name
    from sqlite_master m, pragma_index_list(m.name) l, pragma_index_info(l.name) i
    where m.type = 'table' and l."unique" and m.name not like 'sqlite_%' group by m.name, l.name`);
  return rows.map((row) => row.name);
}

async function postgresIndexes(db: Database): Promise<string[]> {
  const { rows }: { rows: { name: string }[] } = await db.knex.raw(`
    select t.relname || '(' || string_agg(a.attname, ',' order by k.place) || ')' as name
    from pg_index i join pg_class t on t.oid = i.indrelid join pg_namespace n on n.oid = t.relnamespace
    cross join lateral unnest(i.indkey) with ordinality k (number, place)
    join pg_attribute a on a.attrelid = t.oid and a.attnum = k.number
    where i.indisunique and n.nspname = 'public' group by t.relname, i.indexrelid`);
  return rows.map((row) => row.name);
}

describe('processes that start with a new database', () => {
  async function openMany(options: DatabaseOptions): Promise<Database[]> {
    return Promise.all(Array.from({ length: 4 }, () => openDatabase(options)));
  }

  async function closeAll(dbs: Database[], { dataDir }: DatabaseOptions): Promise<void> {
    for (const db of dbs) await db.close();
    await rm(dataDir, { recursive: true, force: true });
  }

  it('all find the SQLite database migrated', async () => {
    const options = await sqliteOptions();
    const dbs = await openMany(options);
    try {
      for (const db of dbs) await storedTenant(db.knex);
    } finally {
      await closeAll(dbs, options);
    }
  });

  suiteNeeds('postgres', 'on PostgreSQL', function () {
    this.timeout(180_000);

    it('require a migration, and apply it once', async () => {
      const options = await postgresOptions();
      const dbs = await openMany(options);
      try {
        await assert.rejects(requireCurrentSchema(dbs[0]!), (error) => {
          assert.ok(error instanceof OutdatedDatabaseError);
          assert.match(error.message, /^the database has no tables of svc yet: run svc migrate$/);
          return true;
        });
        const applied = await Promise.all(dbs.map((db) => migrateDatabase(db)));
        assert.deepEqual(applied.flat(), all);
        const last = { name: all.at(-1) ?? '' };
        await dbs[0]!.knex('schema_migrations').where(last).delete();
        const pending = `the database is not up to date (pending: ${last.name}): run svc migrate`;
        await assert.rejects(requireCurrentSchema(dbs[0]!), { message: pending });
        await dbs[0]!.knex('schema_migrations').insert({ ...last, batch: 1, migration_time: new Date() });
        for (const db of dbs) await storedTenant(db.knex);
      } finally {
        await closeAll(dbs, options);
      }
    });
  });
});
