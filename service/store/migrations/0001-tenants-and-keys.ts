import type { Knex } from 'knex';

/** Tenants and their API keys. */
export const tenantsAndKeys: Knex.Migration = {
  async up(tx) {
    await tx.schema.createTable('tenants', (t) => {
      t.text('id').notNullable().primary();
      t.text('handle').notNullable().unique();
      t.text('status').notNullable();
      t.text('limits').notNullable();
      t.bigInteger('created_at').notNullable();
    });
    await tx.schema.createTable('api_keys', (t) => {
      // No foreign key: a key is found before its tenant is known, and may be in another database than the tenant.
      t.text('tenant_id').notNullable();
      t.text('id').notNullable();
      t.text('name').notNullable();
      t.text('kind').notNullable();
      t.text('key_hash').notNullable().unique();
      t.text('key_hint').notNullable();
      t.text('scopes').notNullable();
      t.text('graph_ids').notNullable();
      t.text('allowed_origins').notNullable();
      t.double('rate_rps').notNullable();
      t.double('rate_burst').notNullable();
      t.bigInteger('created_at').notNullable();
      t.bigInteger('expires_at');
      t.bigInteger('revoked_at');
      t.bigInteger('last_used_at');
      t.primary(['tenant_id', 'id']);
    });
  },
  down: () => Promise.reject(new Error('migrations cannot be reverted')),
};
