import type { Knex } from 'knex';

/** What app keys are asked by: origins of browsers across tenants, and whether anybody has a graph. */
export const appKeys: Knex.Migration = {
  async up(tx) {
    await tx.schema.createTable('app_key_origins', (t) => {
      // No foreign key: like keys, origins are looked up before a tenant is known.
      t.text('tenant_id').notNullable();
      t.text('key_id').notNullable();
      t.text('origin').notNullable();
      t.primary(['tenant_id', 'key_id', 'origin']);
      t.index(['origin']);
    });
    await tx.schema.alterTable('graphs', (t) => t.index(['id'], 'graphs_by_id'));
  },
  down: () => Promise.reject(new Error('the schema goes only forward')),
};
