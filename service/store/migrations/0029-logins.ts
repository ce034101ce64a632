import type { Knex } from 'knex';

/** Logins of the command line that wait for an approval. They belong to no tenant until then. */
export const logins: Knex.Migration = {
  async up(tx) {
    await tx.schema.createTable('logins', (t) => {
      t.text('secret_hash').primary();
      t.text('code').notNullable().unique();
      t.text('address').notNullable();
      t.bigInteger('created_at').notNullable();
      t.bigInteger('expires_at').notNullable().index();
      t.text('tenant_id').references('id').inTable('tenants');
    });
  },
  down: () => Promise.reject(new Error('migrations cannot be reverted')),
};
