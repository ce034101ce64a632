import type { Knex } from 'knex';

/** Secrets of tenants. The database stores encrypted values only. */
export const secrets: Knex.Migration = {
  async up(tx) {
    await tx.schema.createTable('secrets', (t) => {
      t.text('tenant_id').notNullable();
      t.text('name').notNullable();
      t.binary('sealed').notNullable();
      t.bigInteger('created_at').notNullable();
      t.bigInteger('updated_at').notNullable();
      t.primary(['tenant_id', 'name']);
      t.foreign('tenant_id').references('tenants.id');
    });
  },
  down: () => Promise.reject(new Error('migrations cannot be reverted')),
};
