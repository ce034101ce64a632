import type { Knex } from 'knex';

/** Indexes for app keys: browser origins across tenants, and graphs by id. */
export const appKeys: Knex.Migration = {
  async up(tx) {
    await tx.schema.createTable('app_key_origins', (t) => {
      // No foreign key: an origin is looked up before its tenant is known.
      t.text('tenant_id').notNullable();
      t.text('key_id').notNullable();
      t.text('origin').notNullable();
      t.primary(['tenant_id', 'key_id', 'origin']);
      t.index(['origin']);
    });
    await tx.schema.alterTable('graphs', (t) => t.index(['id'], 'graphs_by_id'));
  },
  down: () => Promise.reject(new Error('migrations cannot be reverted')),
};
