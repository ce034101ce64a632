import type { Knex } from 'knex';

/** Compiled flows, which are immutable. */
export const graphs: Knex.Migration = {
  async up(tx) {
    await tx.schema.createTable('graphs', (t) => {
      t.text('tenant_id').notNullable();
      t.text('id').notNullable();
      t.text('artifact_id').notNullable();
      t.text('name').notNullable();
      t.text('description').notNullable();
      t.text('mode').notNullable();
      t.text('document').notNullable();
      t.text('compiled').notNullable();
      t.bigInteger('created_at').notNullable();
      t.primary(['tenant_id', 'id']);
      t.index(['tenant_id', 'created_at', 'id']);
      t.foreign('tenant_id').references('tenants.id');
    });
  },
  down: () => Promise.reject(new Error('migrations cannot be reverted')),
};
