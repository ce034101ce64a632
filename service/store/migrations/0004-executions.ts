import type { Knex } from 'knex';

/** Executions: one row for each accepted call. */
export const executions: Knex.Migration = {
  async up(tx) {
    await tx.schema.createTable('executions', (t) => {
      t.text('tenant_id').notNullable();
      t.text('id').notNullable();
      t.text('graph_id');
      t.text('graph_artifact_id');
      t.text('node_id');
      t.text('node_fqn');
      t.text('status').notNullable();
      t.text('error_message');
      t.bigInteger('created_at').notNullable();
      t.bigInteger('updated_at').notNullable();
      t.bigInteger('completed_at');
      t.primary(['tenant_id', 'id']);
      t.foreign('tenant_id').references('tenants.id');
    });
  },
  down: () => Promise.reject(new Error('migrations cannot be reverted')),
};
