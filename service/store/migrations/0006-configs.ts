import type { Knex } from 'knex';

/** Config profiles of tenants. */
export const configs: Knex.Migration = {
  async up(tx) {
    await tx.schema.createTable('configs', (t) => {
      t.text('tenant_id').notNullable();
      t.text('id').notNullable();
      t.text('config').notNullable();
      t.bigInteger('created_at').notNullable();
      t.bigInteger('updated_at').notNullable();
      t.primary(['tenant_id', 'id']);
      t.foreign('tenant_id').references('tenants.id');
    });
  },
  down: () => Promise.reject(new Error('migrations cannot be reverted')),
};
